"""Asynchronous SGD in a MonitoredTrainingSession, traced by its first worker."""
from foretrain_capture import CaptureHook
from small_job import batches, command_line, start_server, tf, train_op, v1

flags = command_line()
v1.disable_eager_execution()
server = start_server(flags)

own = '/job:worker/task:%d' % flags.task
with v1.device(v1.train.replica_device_setter(cluster=server.server_def.cluster, worker_device=own)):
    pictures, classes = v1.placeholder(tf.float32, [None, 784]), v1.placeholder(tf.int64, [None])
    step, loss = train_op(pictures, classes)

hooks = [v1.train.StopAtStepHook(last_step=flags.steps)]
if flags.trace:
    hooks.append(CaptureHook(flags.trace))
config = v1.ConfigProto(device_filters=['/job:ps', own])
with v1.train.MonitoredTrainingSession(server.target, is_chief=flags.task == 0, hooks=hooks, config=config) as session:
    for some_pictures, some_classes in batches(flags.task):
        if session.should_stop():
            break
        session.run(step, {pictures: some_pictures, classes: some_classes})
