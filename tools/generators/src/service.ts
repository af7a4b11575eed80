import { addFolder, change, changeJson, type Files, type Words } from './files';
import { withImport, withItem } from './source-text';

interface Manifest {
  dependencies: Record<string, string>;
}
interface Project {
  references: { path: string }[];
}

/** A process of its own: `apps/<service>`. */
export function serviceOf(files: Files, words: Words): string {
  const app = `apps/${words.context}`;
  addFolder(files, 'service', app, words);
  return app;
}

/** A place in the process of another service; answers the workspaces that have changed. */
export function hostIn(files: Files, words: Words): string[] {
  const { context: name, contextVar, service } = words;
  const app = `apps/${service}`;
  const gateway = `${app}/src/start-gateway.ts`;
  const [main, list] = files.exists(gateway)
    ? [gateway, 'const CONTEXTS = [']
    : [`${app}/src/main.ts`, 'contexts: ['];
  change(files, main, (text) =>
    withItem(
      withImport(text, `@tender/${name}-features`, `${contextVar}Context`),
      list,
      `${contextVar}Context`,
    ),
  );
  changeJson<Manifest>(files, `${app}/package.json`, ({ dependencies }) => {
    dependencies[`@tender/${name}-features`] = '0.1.0';
  });
  changeJson<Project>(files, `${app}/tsconfig.json`, ({ references }) => {
    references.push({ path: `../../libs/${name}/features` });
  });
  return [app];
}
