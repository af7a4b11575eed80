// Our own lint rule: how much a function does, without the functions that it names and defines inside.
// A factory that closes over its parts is as long as its longest part, not as the sum of them.

const NAMING = new Set(['VariableDeclarator', 'Property', 'MethodDefinition', 'PropertyDefinition']);
const isNamed = (node) => node.type === 'FunctionDeclaration' || NAMING.has(node.parent.type);

const functionLength = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'object', properties: { max: { type: 'integer' } }, additionalProperties: false }],
    messages: { long: '{{name}} has {{lines}} lines of its own. Maximum allowed is {{max}}.' },
  },
  create(context) {
    const { max } = context.options[0];
    const { sourceCode } = context;
    const open = [];

    const enter = (node) => open.push({ node, inner: new Set() });
    const leave = (node) => {
      const { inner } = open.pop();
      const lines = codeLines(node);
      const own = [...lines].filter((line) => !inner.has(line)).length;
      const name = node.id?.name ?? node.parent.key?.name ?? node.parent.id?.name ?? 'A function';
      if (own > max) context.report({ node, messageId: 'long', data: { name, lines: own, max } });
      const around = open.at(-1);
      if (around) for (const line of isNamed(node) ? lines : inner) around.inner.add(line);
    };

    /** Lines with at least one token: blank lines and comments are free. */
    function codeLines(node) {
      const lines = new Set();
      for (const { loc } of sourceCode.getTokens(node)) {
        for (let line = loc.start.line; line <= loc.end.line; line += 1) lines.add(line);
      }
      return lines;
    }

    const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
    return Object.fromEntries(FUNCTIONS.flatMap((type) => [[type, enter], [`${type}:exit`, leave]]));
  },
};

export const tenderRules = { rules: { 'function-length': functionLength } };
