import ts from 'typescript';

/** A signer’s source with one guard less. */
export interface Mutant {
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** What must be said where the guard is broken; null where the source does not say it in one word. */
  readonly code: string | null;
  /** The rule or the condition that was taken away. */
  readonly what: string;
  readonly source: string;
}

interface Change {
  readonly node: ts.Node;
  readonly by: string;
  readonly code: string | null;
  readonly what: string;
}

/** Every guard of a file, each taken away by itself. */
export function mutantsIn(file: string, source: string): readonly Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2024, true);
  const changes: Change[] = [];
  const visit = (node: ts.Node): void => {
    const change = guardCall(node) ?? refusingIf(node) ?? refusingChoice(node) ?? refusedElse(node);
    if (change) changes.push(change);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return changes.map(({ node, by, code, what }) => ({
    ...{ file, code, what },
    line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1,
    source: source.slice(0, node.getStart()) + by + source.slice(node.getEnd()),
  }));
}

/** Which argument is the code, and which the rule. */
const GUARDS: Readonly<Record<string, readonly [code: number | string, rule: number]>> = {
  guard: [0, 1],
  once: [1, 2],
  rule: ['op_malformed', 0],
};

/** `guard(code, rule, predicate)` and what is made of it; its own definition takes no text. */
function guardCall(node: ts.Node): Change | null {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return null;
  const places = Object.hasOwn(GUARDS, node.expression.text) && GUARDS[node.expression.text];
  if (!places) return null;
  const [code, rule] = places;
  const what = textOf(node.arguments[rule]);
  if (what === null) return null;
  const named = typeof code === 'string' ? code : textOf(node.arguments[code]);
  return { node, by: `({ ...${node.getText()}, holds: () => true })`, code: named, what };
}

/** `if (condition) return refuse(…)`: the condition is never met. */
function refusingIf(node: ts.Node): Change | null {
  if (!ts.isIfStatement(node) || node.elseStatement) return null;
  const last = ts.isBlock(node.thenStatement)
    ? node.thenStatement.statements.at(-1)
    : node.thenStatement;
  const refusal = last && refusalOf(last, node.expression.getText());
  if (!refusal) return null;
  return { node: node.expression, by: 'false', code: refusal.code, what: node.expression.getText() };
}

/** `if (condition) return good; return refuse(…)`: the condition is always met. What is thrown on is not good. */
function refusedElse(node: ts.Node): Change | null {
  if (!ts.isIfStatement(node) || !ts.isBlock(node.parent)) return null;
  if (ts.isThrowStatement(node.thenStatement)) return null;
  const { statements } = node.parent;
  const next = statements[statements.indexOf(node) + 1];
  if (!next || next !== statements.at(-1) || refusingIf(node)) return null;
  const refusal = ts.isReturnStatement(next) && next.expression && refuseCall(next.expression);
  if (!refusal) return null;
  return { node: node.expression, by: 'true', code: refusal.code, what: node.expression.getText() };
}

/** `condition ? refuse(…) : good`, or the other way round. */
function refusingChoice(node: ts.Node): Change | null {
  if (!ts.isConditionalExpression(node)) return null;
  const { condition, whenTrue, whenFalse } = node;
  const said = condition.getText();
  const refused = refuseCall(whenTrue) ?? passedOn(whenTrue, said);
  if (refused) return { node: condition, by: 'false', code: refused.code, what: said };
  const other = refuseCall(whenFalse) ?? unanswered(whenFalse, node);
  return other && { node: condition, by: 'true', code: other.code, what: said };
}

type Refusal = Pick<Change, 'code'>;
const FAULTS = new Set(['CeremonyFault', 'LedgerRefused']);

function refusalOf(statement: ts.Statement, condition: string): Refusal | null {
  if (ts.isThrowStatement(statement)) return thrown(statement.expression);
  if (!ts.isReturnStatement(statement) || !statement.expression) return null;
  const { expression } = statement;
  return (
    refuseCall(expression) ??
    passedOn(expression, condition) ??
    ended(expression) ??
    unanswered(expression, statement)
  );
}

function refuseCall(node: ts.Node): Refusal | null {
  const is_one = ts.isCallExpression(node) && node.expression.getText() === 'refuse';
  return is_one ? { code: textOf(node.arguments[0]) } : null;
}

function thrown(node: ts.Node): Refusal | null {
  if (!ts.isNewExpression(node) || !FAULTS.has(node.expression.getText())) return null;
  const is_ledger = node.expression.getText() === 'LedgerRefused';
  return { code: is_ledger ? 'does not start' : textOf(node.arguments?.[0]) };
}

/** `if (fault !== null) return fault`: what was refused further in. */
function passedOn(node: ts.Node, condition: string): Refusal | null {
  if (!ts.isIdentifier(node)) return null;
  const is_tested = new RegExp(`(?:^'refused' in |^)${node.text}\\b`).test(condition);
  return is_tested && /^'refused' in|!== null$/.test(condition) ? { code: null } : null;
}

/** `return end(response, 401)`. */
function ended(node: ts.Node): Refusal | null {
  const is_one = ts.isCallExpression(node) && node.expression.getText() === 'end';
  return is_one && node.arguments[1]?.getText() === '401' ? { code: '401' } : null;
}

/** `return null` or `undefined`, where that keeps a message from being taken up. */
function unanswered(node: ts.Node, at: ts.Node): Refusal | null {
  const { fileName } = at.getSourceFile();
  const is_nothing = node.kind === ts.SyntaxKind.NullKeyword || node.getText() === 'undefined';
  return is_nothing && TAKES_UP.test(fileName) ? { code: '401' } : null;
}
const TAKES_UP = /signer\/src\/server\/|features\/src\/service\/signed-asks|signing\/commitments-of/;

const textOf = (node: ts.Node | undefined): string | null => {
  if (!node) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText() : null;
};
