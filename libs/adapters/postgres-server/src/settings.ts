/** The server's environment: nothing of ours, above all no `PG…` variable. */
export const ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Small, for a program that shares its machine; durable in full, whatever it costs. */
export const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // No replicas: less to write, and no processes that wait for them.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '512MB',
  // No helper processes: the queries are short and the cores few.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_worker_processes: '2',
  autovacuum_max_workers: '2',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A statement or its detail may hold what must not be in a log.
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_line_prefix: '',
};

export const settingArguments = (settings: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** What a dead server's last connections still hold. It passes within a second. */
export const PASSING = /pre-existing shared memory block|lock file .* already exists/;
export const RETRY_MS = 10_000;
export const RETRY_EVERY_MS = 100;
