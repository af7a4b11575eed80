/**
 * @landing eventstore
 * @runs postgres eventstore
 * @program own
 */
import { goesOnAsServices } from './migrate/goes-on-as-services';

test('a program that ran alone and is killed goes on as services: nothing is lost, nothing is sent twice', () =>
  goesOnAsServices('is killed'));
