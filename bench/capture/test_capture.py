"""foretrain_capture without TensorFlow: what it asks of a session, and what it makes of the answer.

    python3 -m unittest discover -s bench/capture
"""
import gzip
import os
import sys
import tempfile
import types
import unittest


class RunOptions:
    FULL_TRACE = 3

    def __init__(self, trace_level, output_partition_graphs):
        self.trace_level, self.output_partition_graphs = trace_level, output_partition_graphs


class RunMetadata:
    """As much of the protobuf as the capture looks at."""

    def __init__(self):
        self.step_stats = types.SimpleNamespace(dev_stats=[])

    def record(self, *names):
        nodes = [types.SimpleNamespace(node_name=name) for name in names]
        self.step_stats.dev_stats.append(types.SimpleNamespace(node_stats=nodes))

    def SerializeToString(self):
        return b'a traced step'


class SessionRunArgs:
    def __init__(self, fetches, options):
        self.fetches, self.options = fetches, options


def fake_tensorflow():
    tensorflow = types.ModuleType('tensorflow')
    train = types.SimpleNamespace(SessionRunHook=object, SessionRunArgs=SessionRunArgs)
    tensorflow.compat = types.SimpleNamespace(v1=types.SimpleNamespace(RunOptions=RunOptions, RunMetadata=RunMetadata, train=train))
    return tensorflow


sys.dont_write_bytecode = True
sys.modules['tensorflow'] = fake_tensorflow()
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../examples/capture'))
import foretrain_capture
from foretrain_capture import CaptureHook, StepCapture


class Session:
    """Notes how it is run; records a transfer when traced."""

    def __init__(self, records=('RecvTensor',)):
        self.asked, self.records = [], records

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        self.asked.append(options)
        if options:
            run_metadata.record(*self.records)
        return 'result of %s' % fetches


class CaptureTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = os.path.join(temporary.name, 'trace')
        self.told = []
        foretrain_capture.print = lambda text, flush: self.told.append(text)

    def test_session(self):
        session, capture = Session(), StepCapture(self.folder, warm_up=5, steps=4)
        for _ in range(11):
            self.assertEqual(capture.run(session, 'op'), 'result of op')
        self.assertEqual([options is not None for options in session.asked], [False] * 4 + [True] * 5 + [False] * 2)
        traced = [options for options in session.asked if options]
        self.assertEqual([options.trace_level for options in traced], [RunOptions.FULL_TRACE] * 5)
        self.assertEqual([options.output_partition_graphs for options in traced], [False] * 4 + [True])
        self.assertEqual(sorted(os.listdir(self.folder)), ['run_metadata_00%d.pb.gz' % step for step in range(4)])
        with gzip.open(os.path.join(self.folder, 'run_metadata_003.pb.gz')) as file:
            self.assertEqual(file.read(), b'a traced step')
        self.assertTrue(capture.finished)
        self.assertRegex(self.told[0], '4 traced steps')
        self.assertRegex(self.told[1], r'untraced step took \d+\.\d ms \(median of 2\)')

    def test_hook(self):
        hook, traced = CaptureHook(self.folder, warm_up=2, steps=2), []
        for _ in range(5):
            options = hook.before_run(None).options
            traced.append(options is not None)
            metadata = RunMetadata()
            metadata.record('RecvTensor')
            hook.after_run(None, types.SimpleNamespace(run_metadata=metadata))
        self.assertEqual(traced, [False, True, True, True, False])
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_no_warm_up(self):
        session, capture = Session(), StepCapture(self.folder, warm_up=0, steps=1)
        capture.run(session, 'op')
        self.assertTrue(session.asked[0].output_partition_graphs)
        self.assertEqual(len(self.told), 1)

    def test_a_local_session_is_refused_and_leaves_nothing(self):
        capture = StepCapture(self.folder, warm_up=0)
        with self.assertRaisesRegex(RuntimeError, 'no RecvTensor'):
            capture.run(Session(records=('MatMul',)), 'op')
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_folder_with_traces_is_refused(self):
        StepCapture(self.folder, warm_up=0, steps=1).run(Session(), 'op')
        with self.assertRaisesRegex(OSError, 'holds traces already'):
            StepCapture(self.folder)

    def test_no_steps_are_refused(self):
        with self.assertRaisesRegex(ValueError, 'steps at least 1'):
            StepCapture(self.folder, steps=0)
        self.assertFalse(os.path.exists(self.folder))


if __name__ == '__main__':
    unittest.main()
