"""Saves the traced steps of one worker as foretrain reads them: one gzip file of RunMetadata a step.

    capture = StepCapture('trace')                     # tf.compat.v1.Session
    capture.run(session, train_op)                     # in place of session.run

    hooks=[CaptureHook('trace')]                       # MonitoredSession, MonitoredTrainingSession, Estimator

Let one worker train alone meanwhile, against as many servers as the job has: what others send would be taken for the worker's own.
Needs TensorFlow 1.8 or newer and nothing else. Copy this file next to your program.
"""
import glob
import gzip
import os
import time

import tensorflow as tf

v1 = tf.compat.v1 if hasattr(tf, 'compat') and hasattr(tf.compat, 'v1') else tf


class StepCapture:
    """Saves `steps` traced steps after `warm_up` others; the last one also carries the partition graphs.

    The last step of the warm-up is traced and thrown away: the first trace of a process takes longer, because it starts the profiler.

    Raises OSError when the folder holds traces already (those of two jobs make no profile) or cannot be written to.
    """

    def __init__(self, folder, warm_up=10, steps=20):
        if warm_up < 0 or steps < 1:
            raise ValueError('warm_up is at least 0 and steps at least 1, not %r and %r' % (warm_up, steps))
        os.makedirs(folder, exist_ok=True)
        if glob.glob(os.path.join(folder, 'run_metadata_*')):
            raise OSError('%s holds traces already: name another folder, or empty it' % folder)
        self.folder, self.warm_up, self.steps = folder, warm_up, steps
        self.step = 0
        self._untraced = []

    @property
    def finished(self):
        return self.step >= self.warm_up + self.steps

    def run(self, session, fetches, feed_dict=None):
        """`session.run` of one training step."""
        options, metadata = self.options(), v1.RunMetadata()
        begin = time.time()
        result = session.run(fetches, feed_dict, options=options, run_metadata=metadata if options else None)
        self.ran(metadata, time.time() - begin)
        return result

    def options(self):
        """RunOptions of the coming step; None when it is not traced."""
        if self.step < self.warm_up - 1 or self.finished:
            return None
        last = self.step == self.warm_up + self.steps - 1
        return v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE, output_partition_graphs=last)

    def ran(self, metadata, seconds):
        """Takes note of a step that was run with `options()`, and saves what it recorded."""
        if self.finished:
            return
        if self.step < self.warm_up - 1:
            self._untraced.append(seconds)
        elif self.step >= self.warm_up:
            self._save(metadata)
        self.step += 1
        if self.finished:
            self._tell()

    def _save(self, metadata):
        # Without transfers there is nothing to predict from; better said now than when the job is over.
        nodes = [node for device in metadata.step_stats.dev_stats for node in device.node_stats]
        if not any(node.node_name == 'RecvTensor' for node in nodes):
            raise RuntimeError('no RecvTensor in the traced step: the session is not connected to the cluster of the parameter servers '
                               '(its target is that of tf.train.Server, as grpc://host:port), or its transport is RDMA, which is not logged')
        path = os.path.join(self.folder, 'run_metadata_%03d.pb.gz' % (self.step - self.warm_up))
        with gzip.open(path + '.tmp', 'wb') as file:
            file.write(metadata.SerializeToString())
        os.rename(path + '.tmp', path)

    def _tell(self):
        print('foretrain: %d traced steps in %s' % (self.steps, self.folder), flush=True)
        warm = sorted(self._untraced[len(self._untraced) // 2:])
        if warm:
            print('foretrain: an untraced step took %.1f ms (median of %d); if the traced ones took longer, add --step-time %.1fms'
                  % (1e3 * warm[len(warm) // 2], len(warm), 1e3 * warm[len(warm) // 2]), flush=True)


class CaptureHook(v1.train.SessionRunHook):
    """The same as a hook. Give it to one worker only."""

    def __init__(self, folder, warm_up=10, steps=20):
        self.capture = StepCapture(folder, warm_up, steps)
        self._begin = 0.0

    def before_run(self, run_context):
        self._begin = time.time()
        return v1.train.SessionRunArgs(fetches=None, options=self.capture.options())

    def after_run(self, run_context, run_values):
        self.capture.ran(run_values.run_metadata, time.time() - self._begin)
