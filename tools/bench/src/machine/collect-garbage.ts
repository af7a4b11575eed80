import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into a program in front of its own code: on SIGUSR2 it collects its garbage, so that memory which is held can
 * be told from memory which was used.
 */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => collect());
