/** class-transformer keeps the types of nested fields here and declares no types for the path. */
declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    findTypeMetadata(
      target: unknown,
      field: string,
    ): { typeFunction(): unknown } | undefined;
  };
}
