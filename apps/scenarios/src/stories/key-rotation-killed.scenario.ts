/**
 * @landing embedded
 * @program own
 */
// On services it is a part of the story of a merchant's own wallet, in which the gateway dies, too.
import { Program } from '../harness/program';
import { cutRotationIsMadeAgain } from './kill-points/cut-rotation';

const program = new Program();

beforeAll(() => program.start({}));
afterAll(() => program.discard());

test('K16: a rotation whose answer was lost is made again by a person who has signed in', () =>
  cutRotationIsMadeAgain(program));
