"""What the three examples share: their command line, a small model, and the server that every task of a cluster runs."""
import argparse
import os

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '2')
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
BATCH, INPUTS, HIDDEN, CLASSES = 64, 784, 1024, 10


def command_line():
    parser = argparse.ArgumentParser(description='One task of a small parameter-server job.')
    parser.add_argument('--ps', required=True, help='host:port of each server, separated by commas')
    parser.add_argument('--workers', required=True, help='host:port of each worker, separated by commas')
    parser.add_argument('--job', required=True, choices=['ps', 'worker'])
    parser.add_argument('--task', type=int, default=0)
    parser.add_argument('--trace', default='', help='folder for the traces of this worker')
    parser.add_argument('--steps', type=int, default=40)
    return parser.parse_args()


def start_server(flags):
    """Joins the cluster. A server serves until it is killed."""
    cluster = {'ps': flags.ps.split(','), 'worker': flags.workers.split(',')}
    server = v1.train.Server(cluster, job_name=flags.job, task_index=flags.task)
    if flags.job == 'ps':
        server.join()
    return server


def batches(seed=0):
    """Random pictures with random classes."""
    random = np.random.RandomState(seed)
    while True:
        yield random.rand(BATCH, INPUTS).astype(np.float32), random.randint(CLASSES, size=BATCH).astype(np.int64)


def train_op(pictures, classes):
    """A perceptron of three layers (1.9 million parameters, 7.4 MB) under plain SGD; returns the operation of a step and its loss."""
    signal, width = pictures, INPUTS
    for layer, units in enumerate([HIDDEN, HIDDEN, CLASSES], 1):
        with v1.variable_scope('layer%d' % layer):
            kernel = v1.get_variable('kernel', [width, units], initializer=v1.glorot_uniform_initializer())
            bias = v1.get_variable('bias', [units], initializer=v1.zeros_initializer())
            signal = tf.matmul(signal, kernel) + bias
            signal = tf.nn.relu(signal) if units == HIDDEN else signal
            width = units
    loss = v1.losses.sparse_softmax_cross_entropy(classes, signal)
    return v1.train.GradientDescentOptimizer(0.01).minimize(loss, global_step=v1.train.get_or_create_global_step()), loss
