"""A step of bench/capture/traces in every form in which TensorFlow writes it, as seeds for the fuzzer.

    python3 bench/fuzz/make_seeds.py     # with TensorFlow 1.15 to 2.x
"""
import glob
import gzip
import os
import tempfile

import tensorflow as tf
from tensorflow.python.client import timeline

v1 = tf.compat.v1
v1.disable_eager_execution()
HERE = os.path.dirname(os.path.abspath(__file__))
TRACES = os.path.join(HERE, '../capture/traces/session')


def read(step):
    metadata = v1.RunMetadata()
    with gzip.open(os.path.join(TRACES, 'run_metadata_%s.pb.gz' % step)) as file:
        metadata.ParseFromString(file.read())
    return metadata


def write(name, content):
    with open(os.path.join(HERE, 'seeds', name + '.gz'), 'wb') as file:
        # Without the time, so that the same content gives the same file.
        with gzip.GzipFile(filename='', fileobj=file, mode='wb', mtime=0) as packed:
            packed.write(content)


os.makedirs(os.path.join(HERE, 'seeds'), exist_ok=True)
plain, with_graphs = read('018'), read('019')
write('step_stats.pb', plain.step_stats.SerializeToString())
write('run_metadata.pbtxt', str(with_graphs).encode())
write('step_stats.pbtxt', str(plain.step_stats).encode())
write('timeline.json', timeline.Timeline(plain.step_stats).generate_chrome_trace_format().encode())
with tempfile.TemporaryDirectory() as folder:
    writer = v1.summary.FileWriter(folder)
    for step, metadata in enumerate([plain, with_graphs]):
        writer.add_run_metadata(metadata, 'step%d' % step, step)
    writer.close()
    with open(glob.glob(os.path.join(folder, 'events.out.tfevents.*'))[0], 'rb') as file:
        write('events.out.tfevents', file.read())
