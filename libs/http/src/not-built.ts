import { invalidParameter } from './api-error';

/** `false`, which is what an object without it has, says nothing. Throws 400 for what says more. */
export function refuseWhatIsNotBuilt<Field extends string>(
  body: { readonly [Key in Field]?: boolean },
  ...fields: readonly Field[]
): void {
  for (const field of fields) {
    if (body[field]) {
      throw invalidParameter({ field, message: 'is not supported yet; leave it out' });
    }
  }
}
