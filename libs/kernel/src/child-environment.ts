type Environment = Readonly<Record<string, string | undefined>>;

/** What any program may need of the machine that it runs on. No setting of ours, and no secret, is among it. */
const OF_THE_MACHINE = [
  ...['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'NO_COLOR', 'TERM'],
  ...['NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

/**
 * The environment of a child process: of the parent’s, what the machine asks for and what is named, and nothing else.
 * A list of what may pass forgets no secret, whichever the operator’s shell holds.
 */
export function childEnvironment(
  parents: Environment,
  names: readonly string[] = [],
): Record<string, string> {
  const passed = [...OF_THE_MACHINE, ...names].flatMap((name) => {
    const value = parents[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(passed);
}
