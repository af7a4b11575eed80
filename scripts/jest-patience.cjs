// Before each spec: connections to Postgres are given up after minutes, not after the seconds that the program allows.
// How long it waits is no spec's subject, and a machine may take longer than that for anything.
const PATIENCE_MS = 120_000;
const USES_POSTGRES = /\.(slice|conformance)\.spec\.[jt]s$/;
if (USES_POSTGRES.test(expect.getState().testPath)) waitLong(require('pg'));

function waitLong(pg) {
  const longer = (timeout_ms) => (timeout_ms > 0 ? Math.max(timeout_ms, PATIENCE_MS) : timeout_ms);

  Object.defineProperty(pg.Client.prototype, '_connectionTimeoutMillis', {
    get() {
      return this.tenderTimeoutMs;
    },
    set(timeout_ms) {
      this.tenderTimeoutMs = longer(timeout_ms);
    },
  });

  const { connect } = pg.Pool.prototype;
  pg.Pool.prototype.connect = function patientConnect(...args) {
    this.options.connectionTimeoutMillis = longer(this.options.connectionTimeoutMillis);
    return connect.apply(this, args);
  };
}
