import type { AttributeValue } from '@emu/service-types/dynamodb';
import { AwsError } from '@emu/wire';
import { checkedValue, type Item, typeOf } from '../attributes/values.ts';
import { invalid } from '../errors.ts';
import { conditionProblem, updateProblem } from '../expressions/checks.ts';
import { bindConditionNode, type Condition } from '../expressions/condition.ts';
import type { ConditionNode, OperandNode, PathNode, SetValueNode, UpdateNode } from '../expressions/nodes.ts';
import { Placeholders } from '../expressions/placeholders.ts';
import { flatProjectionOf, type Projection } from '../expressions/projection.ts';
import { type ExpressionKind, expressionError } from '../expressions/syntax.ts';
import { bindUpdateNode, type Update } from '../expressions/update.ts';
import type {
  LiteralNode,
  MapNode,
  ParsedStatement,
  PartiqlAction,
  PartiqlCondition,
  PartiqlOperand,
  PartiqlSetValue,
} from './syntax.ts';

const LITERALS = ['literal', 'parameter', 'list', 'set', 'map'];

/** Translates parts of a statement to DynamoDB's expressions and inserts the statement's parameters. */
export class Translator {
  private readonly names: Record<string, string> = {};
  private readonly values: Record<string, AttributeValue> = {};
  private readonly parameters: ReadonlyMap<number, AttributeValue>;

  /** @throws AwsError `ValidationException` if the number of parameters differs from the number of question marks */
  constructor(statement: ParsedStatement, parameters: readonly AttributeValue[]) {
    if (parameters.length !== statement.parameters.length)
      throw invalid("Number of parameters in request and statement don't match.");
    this.parameters = new Map(statement.parameters.map((at, index) => [at, checkedValue(parameters[index]!)]));
  }

  /** Returns the item of an INSERT literal; errors of numbers name the position within their attribute. */
  item({ entries }: MapNode): Item {
    return Object.fromEntries(entries.map(([name, value]) => [name, this.value(value)]));
  }

  /**
   * Returns the value of a literal.
   * @param place position in the enclosing value, for errors of numbers
   */
  value(node: LiteralNode, place = 'root'): AttributeValue {
    switch (node.type) {
      case 'literal':
        return literalValue(node.value, place);
      case 'parameter':
        return this.parameters.get(node.at)!;
      case 'list':
        return { L: node.elements.map((element, at) => this.value(element, `${place}[${at}]`)) };
      case 'map':
        return {
          M: Object.fromEntries(node.entries.map(([key, value]) => [key, this.value(value, `${place}.${key}`)])),
        };
      case 'set':
        return this.set(node.elements.map((element, at) => this.value(element, `${place}[${at}]`)));
    }
  }

  /** Returns the value of a literal operand; undefined for others. */
  literal(node: PartiqlOperand): AttributeValue | undefined {
    return LITERALS.includes(node.type) ? this.value(node as LiteralNode) : undefined;
  }

  condition(node: PartiqlCondition): Condition {
    const translated = this.conditionNode(node);
    return withoutExpressionName('ConditionExpression', () => {
      refuse('ConditionExpression', conditionProblem(translated));
      return bindConditionNode('ConditionExpression', translated, this.placeholders());
    });
  }

  update(actions: readonly PartiqlAction[]): Update {
    const sections: UpdateNode['sections'] = [];
    for (const { section: type, path, value } of actions) {
      if (type === 'ADD' || type === 'DELETE') this.checkSet(`SET_${type}`, value as LiteralNode);
      let section = sections.find((candidate) => candidate.type === type);
      if (!section) {
        section = { type, actions: [] };
        sections.push(section);
      }
      section.actions.push({ path: this.path(path), ...(value && { value: this.setValue(value) }) });
    }
    return withoutExpressionName('UpdateExpression', () => {
      refuse('UpdateExpression', updateProblem({ sections }));
      return bindUpdateNode({ sections }, this.placeholders());
    });
  }

  private checkSet(name: string, node: LiteralNode): void {
    if (!['SS', 'NS', 'BS'].includes(typeOf(this.value(node))))
      throw invalid(`The second argument to ${name} must be a value with type SET`);
  }

  /** Returns the projection of a list of paths; undefined for `*`. */
  projection(paths: readonly PathNode[] | null): Projection | undefined {
    return paths ? flatProjectionOf(paths.map(pathSteps)) : undefined;
  }

  private placeholders(): Placeholders {
    const orNothing = <T>(entries: Record<string, T>) => (Object.keys(entries).length ? entries : undefined);
    return new Placeholders(orNothing(this.names), orNothing(this.values));
  }

  private set(elements: readonly AttributeValue[]): AttributeValue {
    const type = typeOf(elements[0]!);
    if (!['S', 'N', 'B'].includes(type) || elements.some((element) => typeOf(element) !== type))
      throw invalid('Elements of a set must be strings, numbers or binary values of one type');
    return checkedValue({ [`${type}S`]: elements.map((element) => element[type]) } as AttributeValue);
  }

  private conditionNode(node: PartiqlCondition): ConditionNode {
    switch (node.type) {
      case 'or':
      case 'and':
        return { type: node.type, terms: node.terms.map((term) => this.conditionNode(term)) };
      case 'not':
        return { type: 'not', term: this.conditionNode(node.term) };
      case 'compare':
        return { ...node, left: this.operand(node.left), right: this.operand(node.right) };
      case 'between':
        return {
          type: 'between',
          operand: this.operand(node.operand),
          low: this.operand(node.low),
          high: this.operand(node.high),
        };
      case 'in':
        return {
          type: 'in',
          operand: this.operand(node.operand),
          candidates: node.candidates.map((candidate) => this.operand(candidate)),
        };
      case 'function':
        return { ...node, args: node.args.map((argument) => this.operand(argument)) };
    }
  }

  private operand(node: PartiqlOperand): OperandNode {
    if (node.type === 'path') return this.path(node);
    if (node.type === 'function') return { ...node, args: node.args.map((argument) => this.operand(argument)) };
    const name = `:v${Object.keys(this.values).length}`;
    this.values[name] = this.value(node);
    return { type: 'value', name };
  }

  private setValue(node: PartiqlSetValue): SetValueNode {
    if (node.type !== 'arithmetic') return this.operand(node);
    return { ...node, left: this.setValue(node.left), right: this.setValue(node.right) };
  }

  /** Replaces names by placeholders: PartiQL quotes names that DynamoDB's expressions reserve. */
  private path(node: PathNode): PathNode {
    return {
      type: 'path',
      elements: node.elements.map((step) => {
        if (!('name' in step)) return step;
        const placeholder = `#n${Object.keys(this.names).length}`;
        this.names[placeholder] = step.name;
        return { placeholder };
      }),
    };
  }
}

/** Exponent digits that PartiQL's parser supports. */
const EXPONENT = /[eE]([+-]?[0-9]+)$/;
const MAX_SCALE = 2 ** 31 - 1;

/**
 * Returns a constant of a statement as a value.
 * @throws AwsError `ValidationException`
 */
function literalValue(value: AttributeValue, place: string): AttributeValue {
  if (value.N === undefined) return checkedValue(value);
  const fraction = /\.([0-9]*)/.exec(value.N)?.[1]?.length ?? 0;
  const scale = fraction - Number(EXPONENT.exec(value.N)?.[1] ?? 0);
  if (Math.abs(scale) > MAX_SCALE) throw invalid("Statement wasn't well formed, can't be processed: ");
  try {
    return checkedValue(value);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw invalid(`${error.message} under ${place}`);
  }
}

/** Removes the expression's name from errors of translated statement parts. */
function withoutExpressionName<Result>(kind: ExpressionKind, bind: () => Result): Result {
  try {
    return bind();
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw invalid(error.message.replace(`Invalid ${kind}: `, ''));
  }
}

function refuse(kind: ExpressionKind, problem: string | undefined): void {
  if (problem !== undefined) throw expressionError(kind, problem);
}

/** Returns the steps of a path without placeholders. */
function pathSteps(node: PathNode): (string | number)[] {
  return node.elements.map((step) => ('index' in step ? step.index : 'name' in step ? step.name : step.placeholder));
}

/** Returns the top-level attribute that a path names; undefined for deeper paths. */
export function attributeOf(node: PartiqlOperand): string | undefined {
  if (node.type !== 'path' || node.elements.length !== 1) return undefined;
  return pathSteps(node)[0] as string;
}
