/**
 * @landing postgres
 * @runs postgres eventstore
 * @program own
 * @takes minutes
 */
import { goesOnAsServices } from './migrate/goes-on-as-services';

test('a program that ran alone and stops in order goes on as services: nothing is lost, nothing is sent twice', () =>
  goesOnAsServices('stops in order'));
