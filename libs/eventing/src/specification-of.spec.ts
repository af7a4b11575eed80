import { accept, refuse, type Decider, type Decision } from '@tender/kernel';
import { specificationOf } from './testing';

type Lit = { type: 'Lit'; data: { by: string } };
interface Light {
  readonly type: 'Light';
  readonly by: string;
}
const lamp = {
  initial: false,
  evolve: (_: boolean, event: Lit): boolean => event.type === 'Lit',
  decide: {
    Light: ({ by }: Light, lit: boolean): Decision<Lit, 'already_lit'> =>
      lit ? refuse('already_lit', { by }) : accept<Lit>({ type: 'Lit', data: { by } }),
  },
} satisfies Decider<boolean, Lit>;
const light = (by: string): Light => ({ type: 'Light', by });
const given = specificationOf(lamp);
const lit: Lit = { type: 'Lit', data: { by: 'Ada' } };

describe('specificationOf', () => {
  it('holds what is so', () => {
    given().when(light('Ada')).then(lit);
    given(lit).when(light('Bo')).thenRefused('already_lit', { by: 'Bo' });
  });

  it('fails on what is not', () => {
    expect(() => given().when(light('Bo')).then(lit)).toThrow();
    expect(() => given().when(light('Ada')).then()).toThrow();
    expect(() => given(lit).when(light('Bo')).then(lit)).toThrow();
    expect(() => given().when(light('Bo')).thenRefused('already_lit')).toThrow();
    expect(() => given(lit).when(light('Bo')).thenRefused('already_lit', { by: 'Ada' })).toThrow();
  });
});
