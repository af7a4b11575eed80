import { accept, refuse, type Decider } from '@tender/kernel';
import { specificationOf } from './testing';

type Lit = { type: 'Lit'; data: { by: string } };
const lamp: Decider<boolean, { by: string }, Lit, 'already_lit'> = {
  initial: false,
  decide: (command, lit) =>
    lit ? refuse('already_lit', { by: command.by }) : accept<Lit>({ type: 'Lit', data: command }),
  evolve: () => true,
};
const given = specificationOf(lamp);
const lit: Lit = { type: 'Lit', data: { by: 'Ada' } };

describe('specificationOf', () => {
  it('holds what is so', () => {
    given().when({ by: 'Ada' }).then(lit);
    given(lit).when({ by: 'Bo' }).thenRefused('already_lit', { by: 'Bo' });
  });

  it('fails on what is not', () => {
    expect(() => given().when({ by: 'Bo' }).then(lit)).toThrow();
    expect(() => given().when({ by: 'Ada' }).then()).toThrow();
    expect(() => given(lit).when({ by: 'Bo' }).then(lit)).toThrow();
    expect(() => given().when({ by: 'Bo' }).thenRefused('already_lit')).toThrow();
    expect(() => given(lit).when({ by: 'Bo' }).thenRefused('already_lit', { by: 'Ada' })).toThrow();
  });
});
