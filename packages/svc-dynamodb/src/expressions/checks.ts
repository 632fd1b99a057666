import type { ConditionNode, OperandNode, PathNode, SetValueNode, UpdateNode } from './nodes.ts';
import { isReservedWord } from './reserved-words.ts';

/**
 * Checks of expressions before placeholders are resolved. DynamoDB reports one problem, chosen by kind before position:
 * redundant parentheses, then function names, then positions of functions, then reserved words.
 */

/** Functions of conditions, each with its number of operands. */
export const CONDITION_FUNCTIONS: Readonly<Record<string, number>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
  size: 1,
};

/** Functions of update expressions; each has two operands. */
const UPDATE_FUNCTIONS: readonly string[] = ['if_not_exists', 'list_append'];

type Problems = Partial<Record<'parentheses' | 'function' | 'misuse' | 'reserved' | 'section' | 'index', string>>;

/** Maximum list index in a path. */
const MAX_INDEX = 2 ** 31 - 1;

/** Returns the syntax problem of a condition; undefined if it is valid. */
export function conditionProblem(node: ConditionNode): string | undefined {
  const problems: Problems = {};
  visitCondition(node, problems);
  return problems.parentheses ?? problems.function ?? problems.misuse ?? problems.reserved ?? problems.index;
}

/** Returns the syntax problem of an update; undefined if it is valid. */
export function updateProblem({ sections }: UpdateNode): string | undefined {
  const problems: Problems = {};
  const seen = new Set<string>();
  for (const { type, actions } of sections) {
    if (seen.has(type)) problems.section ??= `The "${type}" section can only be used once in an update expression;`;
    seen.add(type);
    for (const { path, value } of actions) {
      visitPath(path, problems);
      if (value) visitSetValue(value, problems);
    }
  }
  return problems.reserved ?? problems.function ?? problems.misuse ?? problems.section ?? problems.index;
}

/** Returns the syntax problem of the paths of a projection; undefined if they are valid. */
export function projectionProblem(paths: readonly PathNode[]): string | undefined {
  const problems: Problems = {};
  for (const path of paths) visitPath(path, problems);
  return problems.reserved ?? problems.index;
}

function visitPath({ elements }: PathNode, problems: Problems): void {
  for (const step of elements) {
    if ('name' in step && isReservedWord(step.name))
      problems.reserved ??= `Attribute name is a reserved keyword; reserved keyword: ${step.name}`;
    if ('index' in step && step.index > MAX_INDEX)
      problems.index ??= `List index is not within the allowable range; index: [${step.index}]`;
  }
}

function visitCondition(node: ConditionNode, problems: Problems): void {
  switch (node.type) {
    case 'or':
    case 'and':
      for (const term of node.terms) visitCondition(term, problems);
      return;
    case 'parentheses':
      if (node.term.type === 'parentheses') problems.parentheses ??= 'The expression has redundant parentheses;';
      visitCondition(node.term, problems);
      return;
    case 'not':
      visitCondition(node.term, problems);
      return;
    case 'compare':
      visitOperands([node.left, node.right], problems);
      return;
    case 'between':
      visitOperands([node.operand, node.low, node.high], problems);
      return;
    case 'in':
      visitOperands([node.operand, ...node.candidates], problems);
      return;
    case 'function':
      visitOperands(node.args, problems);
      checkConditionFunction(node.name, problems);
      if (node.name === 'size') problems.misuse ??= misuse('size');
  }
}

/** Checks the operands of an operator or function; the only function allowed in them is `size`. */
function visitOperands(operands: readonly OperandNode[], problems: Problems): void {
  for (const operand of operands) {
    if (operand.type === 'path') visitPath(operand, problems);
    if (operand.type !== 'function') continue;
    visitOperands(operand.args, problems);
    checkConditionFunction(operand.name, problems);
  }
  const other = operands.find((operand) => operand.type === 'function' && operand.name !== 'size');
  if (other?.type === 'function') problems.misuse ??= misuse(other.name);
}

const misuse = (name: string): string =>
  `The function is not allowed to be used this way in an expression; function: ${name}`;

function checkConditionFunction(name: string, problems: Problems): void {
  if (Object.hasOwn(CONDITION_FUNCTIONS, name)) return;
  problems.function ??= UPDATE_FUNCTIONS.includes(name)
    ? `The function is not allowed in a condition expression; function: ${name}`
    : `Invalid function name; function: ${name}`;
}

function visitSetValue(node: SetValueNode, problems: Problems): void {
  switch (node.type) {
    case 'path':
      visitPath(node, problems);
      return;
    case 'arithmetic':
      visitSetValue(node.left, problems);
      visitSetValue(node.right, problems);
      return;
    case 'function':
      for (const argument of node.args) {
        visitSetValue(argument, problems);
        if (argument.type === 'function' && argument.name === 'list_append') problems.misuse ??= misuse('list_append');
      }
      if (UPDATE_FUNCTIONS.includes(node.name)) return;
      problems.function ??= Object.hasOwn(CONDITION_FUNCTIONS, node.name)
        ? `The function is not allowed in an update expression; function: ${node.name}`
        : `Invalid function name; function: ${node.name}`;
  }
}
