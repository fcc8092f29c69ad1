"""Asynchronous SGD of an Estimator (TensorFlow 1.8 to 2.15), traced by its chief, which is the only worker here."""
import json
import os
import tempfile

from foretrain_capture import CaptureHook
from small_job import batches, command_line, tf, train_op, v1

flags = command_line()
# An Estimator calls the first worker "chief", and starts the server of its task itself.
chief, ps = flags.workers.split(',')[:1], flags.ps.split(',')
task = {'type': 'ps' if flags.job == 'ps' else 'chief', 'index': flags.task}
os.environ['TF_CONFIG'] = json.dumps({'cluster': {'chief': chief, 'ps': ps}, 'task': task})


def model_fn(features, labels, mode):
    step, loss = train_op(features, labels)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)


def input_fn():
    shapes = (tf.TensorShape([None, 784]), tf.TensorShape([None]))
    return tf.data.Dataset.from_generator(batches, (tf.float32, tf.int64), shapes)


with tempfile.TemporaryDirectory() as checkpoints:
    hooks = [CaptureHook(flags.trace)] if flags.trace else []
    train = tf.estimator.TrainSpec(input_fn, max_steps=flags.steps, hooks=hooks)
    estimator = tf.estimator.Estimator(model_fn, model_dir=checkpoints)
    tf.estimator.train_and_evaluate(estimator, train, tf.estimator.EvalSpec(input_fn))
