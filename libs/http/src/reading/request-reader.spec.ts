import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { IsEmailAddress, IsInAnyCase, IsRawText, NotYetSupported, OrNull } from '@tender/contracts';
import { ApiError } from '../api-error';
import type { Note } from './parse-json';
import { RequestReader } from './request-reader';

class Address {
  @IsString() @MaxLength(5) city!: string;
  @NotYetSupported() @IsString() planet?: string;
}
class Sample {
  @OrNull() @IsString() url!: string | null;
  @IsOptional() @IsInAnyCase(['Daily', 'weekly']) interval?: string;
  @IsOptional() @IsEmailAddress() email?: string;
  @IsOptional() @IsRawText() @IsString() raw?: string;
  @IsOptional() @ValidateNested() @Type(() => Address) address?: Address;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Address) more?: Address[];
}
class SampleQuery {
  @IsInt() page!: number;
  @IsOptional() @IsBoolean() resolved?: boolean;
  @IsOptional() @IsInAnyCase(['low', 'high']) severity?: string;
}

const reader = new RequestReader(Sample);
const read = (body: object, notes: readonly Note[] = []) => reader.readBody(body, notes);
const refusalOf = (ask: () => unknown): [string, unknown] => {
  try {
    ask();
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.details.fields];
  }
  throw new Error('it was let through');
};

describe('reading a body', () => {
  it('null is a value only where the field says so', () => {
    expect(read({ url: null, email: null }).value).toEqual({ url: null });
    expect(refusalOf(() => read({ email: null }))).toEqual([
      'missing_required_field',
      [{ field: 'url', message: 'is required' }],
    ]);
  });

  it('spells enums as the contract does, and trims e-mails', () => {
    expect(read({ url: 'x', interval: 'dAILY', email: ' a@b.co ' }).value).toEqual({
      url: 'x',
      interval: 'Daily',
      email: 'a@b.co',
    });
  });

  it('goes into nested objects and lists', () => {
    const body = { url: 'x', address: { city: 'Lagos', odd: 1 }, more: [{ city: 'Abuja', odd: 2 }] };
    expect(read(body)).toEqual({
      value: { url: 'x', address: { city: 'Lagos' }, more: [{ city: 'Abuja' }] },
      ignored: ['address.odd', 'more.0.odd'],
    });
    expect(refusalOf(() => read({ url: 'x', address: { city: 'Lagos', planet: 'Mars' }, more: [{}] }))).toEqual([
      'invalid_parameter',
      [
        { field: 'address.planet', message: 'is not supported yet; leave it out' },
        { field: 'more.0.city', message: 'is required' },
      ],
    ]);
    expect(refusalOf(() => read({ url: 'x', address: 'Lagos' }))[0]).toBe('invalid_parameter');
  });

  it('control characters are data in raw text only', () => {
    const note = (field: string): Note => ({ field, kind: 'control_character' });
    expect(read({ url: 'x', raw: 'a\nb' }, [note('raw')]).value).toEqual({ url: 'x', raw: 'a\nb' });
    expect(refusalOf(() => read({ url: 'a\nb' }, [note('url')]))[0]).toBe('invalid_parameter');
    expect(refusalOf(() => read({ url: 'x', odd: '\n' }, [note('odd')]))[0]).toBe('invalid_parameter');
  });

  it('an inexact number matters only in a field that is read', () => {
    const note = (field: string): Note => ({ field, kind: 'inexact_number' });
    expect(read({ url: 'x', odd: 1 }, [note('odd')]).ignored).toEqual(['odd']);
    expect(refusalOf(() => read({ url: 'x' }, [note('url')]))[0]).toBe('invalid_parameter');
  });
});

describe('reading a query', () => {
  const query = new RequestReader(SampleQuery);

  it('makes of texts what the class asks for', () => {
    expect(query.readQuery({ page: '2', resolved: 'true', severity: 'HIGH', odd: 'x' })).toEqual({
      page: 2,
      resolved: true,
      severity: 'high',
    });
  });

  it.each([{ page: '2.0x' }, { page: '' }, { page: '1', resolved: 'yes' }, { page: '1', severity: 'x' }, {}])(
    'refuses %j',
    (given) => {
      expect(() => query.readQuery(given as Record<string, string>)).toThrow(ApiError);
    },
  );
});
