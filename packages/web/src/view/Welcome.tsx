/** What there is to know before the first trace. */
export function Welcome() {
  return (
    <div class="welcome">
      <section aria-labelledby="welcome-record">
        <h3 id="welcome-record">Record</h3>
        <p>Run some twenty steps of one worker, with its server, with full tracing, and save what each says about itself:</p>
        <pre>
          <code>{`options = tf.compat.v1.RunOptions(
  trace_level=tf.compat.v1.RunOptions.FULL_TRACE)
metadata = tf.compat.v1.RunMetadata()
sess.run(train_op, options=options,
         run_metadata=metadata)`}</code>
        </pre>
      </section>
      <section aria-labelledby="welcome-drop">
        <h3 id="welcome-drop">Drop</h3>
        <p>
          Files are read and clusters simulated by this page alone, on as many cores as there are. It asks for nothing more once it
          is loaded, and its policy forbids it to connect to anything: it works without a network, and from a file.
        </p>
      </section>
      <section aria-labelledby="welcome-see">
        <h3 id="welcome-see">See</h3>
        <p>
          Throughput of each cluster size with its interval, what limits it, how stale updates are, whether another order of the
          tensors helps, and every operation on a timeline. The numbers are those of the command, to the last digit.
        </p>
      </section>
    </div>
  )
}
