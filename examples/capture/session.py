"""Asynchronous SGD in a tf.compat.v1.Session, traced by its first worker."""
from foretrain_capture import StepCapture
from small_job import batches, command_line, start_server, tf, train_op, v1

flags = command_line()
v1.disable_v2_behavior()
server = start_server(flags)

own = '/job:worker/task:%d' % flags.task
with v1.device(v1.train.replica_device_setter(cluster=server.server_def.cluster, worker_device=own)):
    pictures, classes = v1.placeholder(tf.float32, [None, 784]), v1.placeholder(tf.int64, [None])
    step, loss = train_op(pictures, classes)
    initialise = v1.global_variables_initializer()

# Of the other workers it needs nothing, not even that they run.
config = v1.ConfigProto(device_filters=['/job:ps', own])
with v1.Session(server.target, config=config) as session:
    session.run(initialise)
    capture = StepCapture(flags.trace)
    for _, (some_pictures, some_classes) in zip(range(flags.steps), batches()):
        capture.run(session, step, {pictures: some_pictures, classes: some_classes})
