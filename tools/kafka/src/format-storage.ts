import { randomBytes } from 'node:crypto';
import { javaCommand, reasonIn, runJava } from './broker-process';
import { NoKafka } from './jars';

/** Makes the folder of the log that `properties` names a broker's, of a cluster of its own. Throws `NoKafka`. */
export function formatStorage(jars: string, properties: string): void {
  const cluster_id = randomBytes(16).toString('base64url');
  // An id that begins with a dash would be read as an option.
  const args = ['format', '--cluster-id', `T${cluster_id.slice(1)}`, '--config', properties];
  const made = runJava(javaCommand(jars, 'kafka.tools.StorageTool', args));
  if (made.status === 0) return;
  throw new NoKafka(`its storage could not be formatted (${reasonIn(`${made.stderr}${made.stdout}`)})`);
}
