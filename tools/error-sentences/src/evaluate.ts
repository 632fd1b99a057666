import {
  type CallExpression,
  type Expression,
  type Identifier,
  type NewExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import {
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isClassDeclaration,
  isConditionalExpression,
  isConstructorDeclaration,
  isElementAccessExpression,
  isExpression,
  isForOfStatement,
  isFunctionDeclaration,
  isFunctionExpression,
  isFunctionLikeDeclaration,
  isIdentifier,
  isMethodDeclaration,
  isNewExpression,
  isNonNullExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { type Symbol as TsSymbol, TypeFlags } from 'typescript/unstable/sync';
import { type CallSite, Calls, parametersOf } from './calls.ts';
import { grammarErrors } from './grammars.ts';
import { functionAround, isGivenMember, type Sources, walk } from './sources.ts';
import { type Binding, HOLE, isWords, NeedsCaller, type Scope, type Value } from './values.ts';

/** More texts than this in one place are a mistake of the reading, not sentences. */
const MAX_TEXTS = 400;
/** How often a node may be read inside of itself, as where a function's argument is a call of the same function. */
const MAX_DEPTH = 1;
/** How many steps deep expressions are read, and how many where they are a part of a text only. */
const MAX_STEPS = 60;
const MAX_PART_STEPS = 30;
/** How many steps in all it may take to tell a part of a text; what takes more is not words that anybody wrote down. */
const MAX_PART_WORK = 1500;
/** How many calls up it is followed whether a part of a text may be words. */
const MAX_PEEK = 4;

/** Tells what texts expressions may come to, by reading the sources as far as they say it. */
export class Evaluator {
  readonly calls: Calls;
  private readonly assumed = new Map<Node, Binding>();
  private readonly active = new Map<Node, number>();
  /** What makes errors whose messages are told within those of others. */
  readonly inner = new Set<NewExpression>();
  /** What parameters and variables are taken to be, one of several things. */
  private readonly fixed = new Map<Node, Value>();
  /** Which conditions are taken to hold or not. */
  private readonly holding = new Map<string, boolean>();
  private readonly peeked = new Map<Node, boolean>();
  private readonly writing = new Set<string>();
  private readonly wordy = new Map<string, boolean>();
  /** How many texts around what is read it is a part of. */
  private inside = 0;
  private depth = 0;
  private steps = 0;
  /** Parts of texts that took too much work to read. */
  private readonly opaque = new Set<Node>();

  constructor(private readonly sources: Sources) {
    this.calls = new Calls(sources);
  }

  /**
   * What expressions come to together, once for each way to reach them.
   * @param expressions e.g. the code and the message of an error
   */
  ways(expressions: readonly Expression[]): Generator<Value[][]> {
    return this.waysOf(expressions, () => expressions.map((expression) => this.value(expression, undefined)));
  }

  /** The messages of an error of a class of the sources, once for each way to make it. */
  waysOfCreation(creation: NewExpression): Generator<Value[][]> {
    return this.waysOf([], () => [this.messageOfCreation(creation)]);
  }

  /** @param read reads with what is assumed now */
  private *waysOf(expressions: readonly Expression[], read: () => Value[][]): Generator<Value[][]> {
    let values: Value[][];
    try {
      const condition = this.conditionOf(expressions);
      if (condition !== undefined) {
        for (const holds of [true, false]) {
          this.holding.set(condition, holds);
          yield* this.waysOf(expressions, read);
        }
        this.holding.delete(condition);
        return;
      }
      const shared = this.sharedBy(expressions);
      if (shared) {
        for (const value of shared.values) {
          this.fixed.set(shared.declaration, value);
          yield* this.waysOf(expressions, read);
        }
        this.fixed.delete(shared.declaration);
        return;
      }
      values = read();
    } catch (error) {
      if (!(error instanceof NeedsCaller)) throw error;
      const { fn } = error;
      const sites = this.calls.of(fn);
      if (!sites.length) {
        this.assumed.set(fn, () => [{ kind: 'unknown', at: fn }]);
        yield* this.waysOf(expressions, read);
      }
      for (const site of sites) {
        this.assumed.set(fn, this.bindingOf(site, undefined));
        yield* this.waysOf(expressions, read);
      }
      this.assumed.delete(fn);
      return;
    }
    yield values;
  }

  /** A condition that all of some expressions depend on. */
  private conditionOf(expressions: readonly Expression[]): string | undefined {
    const [first = [], ...others] = expressions.map((expression) => {
      const found: string[] = [];
      walk(expression, (node) => {
        if (isConditionalExpression(node)) found.push(node.condition.getText());
      });
      return found;
    });
    if (!others.length) return undefined;
    return first.find((text) => !this.holding.has(text) && others.every((other) => other.includes(text)));
  }

  /** A name that all of some expressions have in common and that may be several things, of which only one counts at a time. */
  private sharedBy(expressions: readonly Expression[]): { declaration: Node; values: Value[] } | undefined {
    const [first = [], ...others] = expressions.map((expression) => this.choicesOf(expression));
    const common = first.filter((declaration) => others.every((other) => other.includes(declaration)));
    for (const declaration of common) {
      if (this.fixed.has(declaration)) continue;
      const values = isParameterDeclaration(declaration)
        ? this.parameter(declaration, undefined)
        : isVariableDeclaration(declaration) && declaration.initializer
          ? this.value(declaration.initializer, undefined)
          : [];
      if (values.length > 1) return { declaration, values };
    }
    return undefined;
  }

  /** The parameters and the variables that an expression names. */
  private choicesOf(expression: Expression): Node[] {
    const found: Node[] = [];
    walk(expression, (node) => {
      const symbol = isIdentifier(node) ? this.meaningOf(node) : undefined;
      for (const declaration of symbol ? this.sources.declarationsOf(symbol) : []) {
        const holder = isBindingElement(declaration) ? declaration.parent.parent : declaration;
        if (isParameterDeclaration(holder) || isVariableDeclaration(holder)) found.push(holder);
      }
    });
    return found;
  }

  private bindingOf(site: CallSite, scope: Scope | undefined): Binding {
    if (site.kind === 'elements') return (index) => (index === 0 ? this.elements(site.of, scope) : []);
    return (index) => {
      const spread = site.args.findIndex((arg) => isSpreadElement(arg));
      if (spread >= 0 && spread <= index) return [{ kind: 'unknown', at: site.args[spread]! }];
      const arg = site.args[index];
      return arg ? this.value(arg, scope) : [];
    };
  }

  /** Everything that an expression may come to. @throws NeedsCaller */
  value(node: Expression, scope: Scope | undefined): Value[] {
    return this.deeper(node, () => this.read(node, scope));
  }

  private deeper(at: Node, read: () => Value[]): Value[] {
    if (this.inside && this.steps++ > MAX_PART_WORK) return [{ kind: 'unknown', at }];
    if (this.depth > (this.inside ? MAX_PART_STEPS : MAX_STEPS)) return [{ kind: 'unknown', at }];
    this.depth++;
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  private read(node: Expression, scope: Scope | undefined): Value[] {
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isNumericLiteral(node))
      return [{ kind: 'text', text: node.text, at: node }];
    if (isTemplateExpression(node)) {
      let texts = [node.head.text];
      for (const span of node.templateSpans) {
        const parts = this.parts(span.expression, scope);
        texts = texts.flatMap((text) => parts.map((part) => text + part + span.literal.text));
        this.bound(texts, node);
      }
      return texts.map((text) => ({ kind: 'text', text, at: node }));
    }
    if (isBinaryExpression(node)) return this.binary(node.left, node.operatorToken.kind, node.right, scope, node);
    if (isConditionalExpression(node)) {
      const holds = this.holding.get(node.condition.getText());
      if (holds !== undefined) return this.value(holds ? node.whenTrue : node.whenFalse, scope);
      const whenTrue = this.value(node.whenTrue, scope);
      const texts = /^typeof .* === 'string'$/.test(node.condition.getText());
      return [
        ...(texts ? whenTrue.filter(({ kind }) => kind !== 'node') : whenTrue),
        ...this.value(node.whenFalse, scope),
      ];
    }
    if (
      isParenthesizedExpression(node) ||
      isAsExpression(node) ||
      isSatisfiesExpression(node) ||
      isNonNullExpression(node) ||
      isAwaitExpression(node)
    )
      return this.value(node.expression, scope);
    if (isIdentifier(node)) return node.text === 'undefined' ? [] : this.once(node, () => this.named(node, scope));
    if (isPropertyAccessExpression(node))
      return isIdentifier(node.name)
        ? this.once(node, () => this.member(node.expression, node.name as Identifier, scope))
        : [];
    if (isElementAccessExpression(node)) return this.element(node.expression, node.argumentExpression, scope);
    if (isCallExpression(node)) return this.once(node, () => this.call(node, scope));
    if (
      isObjectLiteralExpression(node) ||
      isArrayLiteralExpression(node) ||
      isArrowFunction(node) ||
      isFunctionExpression(node) ||
      isNewExpression(node)
    )
      return [{ kind: 'node', node, scope }];
    return [{ kind: 'unknown', at: node }];
  }

  /** Evaluates a node unless that is what is being done already; what is made of itself says nothing more. */
  private once(node: Node, evaluate: () => Value[]): Value[] {
    const depth = this.active.get(node) ?? 0;
    if (depth > MAX_DEPTH) return [];
    this.active.set(node, depth + 1);
    try {
      return evaluate();
    } finally {
      this.active.set(node, depth);
    }
  }

  private bound(texts: readonly unknown[], at: Node): void {
    if (texts.length > MAX_TEXTS) throw new Error(`${placeOf(at)}: too many sentences come together here`);
  }

  private binary(
    left: Expression,
    operator: SyntaxKind,
    right: Expression,
    scope: Scope | undefined,
    node: Node,
  ): Value[] {
    switch (operator) {
      case SyntaxKind.QuestionQuestionToken:
      case SyntaxKind.BarBarToken:
        return [...this.value(left, scope), ...this.value(right, scope)];
      case SyntaxKind.AmpersandAmpersandToken:
      case SyntaxKind.EqualsToken:
      case SyntaxKind.CommaToken:
        return this.value(right, scope);
      case SyntaxKind.PlusToken: {
        const ends = this.parts(right, scope);
        const texts = this.parts(left, scope).flatMap((start) => ends.map((end) => start + end));
        this.bound(texts, node);
        return texts.map((text) => ({ kind: 'text', text, at: node }));
      }
      default:
        return [{ kind: 'unknown', at: node }];
    }
  }

  /** What a part of a text adds to it: its words where the sources say them, else a hole. */
  private parts(node: Expression, scope: Scope | undefined): string[] {
    if (this.opaque.has(node)) return [HOLE];
    let values: Value[];
    if (this.inside++ === 0) this.steps = 0;
    try {
      values = this.value(node, scope);
      if (this.steps > MAX_PART_WORK) {
        this.opaque.add(node);
        return [HOLE];
      }
    } catch (error) {
      if (!(error instanceof NeedsCaller)) throw error;
      if (this.peek(node, scope, MAX_PEEK)) throw error;
      return [HOLE];
    } finally {
      this.inside--;
    }
    const texts = new Set(values.map((value) => (value.kind === 'text' ? value.text : HOLE)));
    if (texts.size === 1) return [...texts].map((text) => (onlyHoles(text) ? HOLE : text));
    // Nothing stands where a sentence ends earlier.
    return [...new Set([...texts].map((text) => (text === '' || isWords(text) ? text : HOLE)))];
  }

  /** Whether a part of a text may be words, judged by the calls around it. */
  private peek(node: Expression, scope: Scope | undefined, depth: number): boolean {
    const known = this.peeked.get(node);
    if (known !== undefined) return known;
    let found: boolean;
    try {
      found = this.value(node, scope).some((value) => value.kind === 'text' && isWords(value.text));
    } catch (error) {
      if (!(error instanceof NeedsCaller)) throw error;
      found = false;
      const { fn } = error;
      for (const site of depth > 0 && !this.assumed.has(fn) ? this.calls.of(fn) : []) {
        this.assumed.set(fn, this.bindingOf(site, undefined));
        found = this.peek(node, scope, depth - 1);
        if (found) break;
      }
      this.assumed.delete(fn);
    }
    if (depth === MAX_PEEK) this.peeked.set(node, found);
    return found;
  }

  private named(node: Identifier, scope: Scope | undefined): Value[] {
    if (isShorthandPropertyAssignment(node.parent)) return this.shorthand(node, scope);
    const symbol = this.sources.symbolOf(node);
    const declarations = symbol ? this.sources.declarationsOf(symbol) : [];
    if (!symbol || !declarations.length) return [{ kind: 'unknown', at: node }];
    return declarations.flatMap((declaration) =>
      this.deeper(node, () => this.declared(declaration, symbol, scope, node)),
    );
  }

  private declared(declaration: Node, symbol: TsSymbol, scope: Scope | undefined, at: Node): Value[] {
    if (isParameterDeclaration(declaration)) return this.parameter(declaration, scope);
    if (isBindingElement(declaration)) return this.bindingElement(declaration, scope);
    if (isFunctionDeclaration(declaration) || isClassDeclaration(declaration))
      return declaration.getSourceFile().isDeclarationFile
        ? [{ kind: 'unknown', at }]
        : [{ kind: 'node', node: declaration, scope }];
    if (!isVariableDeclaration(declaration)) return [{ kind: 'unknown', at }];
    const fixed = this.fixed.get(declaration);
    if (fixed) return [fixed];
    const loop = declaration.parent.parent;
    if (loop && isForOfStatement(loop)) return this.elements(loop.expression, scope);
    const assigned = this.sources.referencesTo(symbol).flatMap((reference) => {
      const { parent } = reference;
      return isBinaryExpression(parent) &&
        parent.left === reference &&
        parent.operatorToken.kind === SyntaxKind.EqualsToken
        ? this.value(parent.right, scope)
        : [];
    });
    if (declaration.initializer) return [...this.value(declaration.initializer, scope), ...assigned];
    return assigned.length ? assigned : [{ kind: 'unknown', at }];
  }

  private parameter(declaration: Node, scope: Scope | undefined): Value[] {
    if (!isParameterDeclaration(declaration)) return [];
    const fixed = this.fixed.get(declaration);
    if (fixed) return [fixed];
    const fn = declaration.parent;
    if (declaration.dotDotDotToken) return [{ kind: 'unknown', at: declaration }];
    const index = parametersOf(fn).indexOf(declaration);
    let at = scope;
    while (at && at.fn !== fn) at = at.outer;
    const binding = at?.binding ?? this.assumed.get(fn);
    if (!binding) throw new NeedsCaller(fn);
    const values = this.once(declaration, () => binding(index));
    if (!declaration.initializer) return values;
    return values.length ? values : this.value(declaration.initializer, scope);
  }

  private bindingElement(element: Node, scope: Scope | undefined): Value[] {
    if (!isBindingElement(element) || !element.name || element.dotDotDotToken)
      return [{ kind: 'unknown', at: element }];
    const pattern = element.parent;
    const holder = pattern.parent;
    const source = (): Value[] => {
      if (isParameterDeclaration(holder)) return this.parameter(holder, scope);
      if (isBindingElement(holder)) return this.bindingElement(holder, scope);
      if (!isVariableDeclaration(holder)) return [{ kind: 'unknown', at: holder }];
      const fixed = this.fixed.get(holder);
      if (fixed) return [fixed];
      const loop = holder.parent.parent;
      if (loop && isForOfStatement(loop)) return this.elements(loop.expression, scope);
      return holder.initializer ? this.value(holder.initializer, scope) : [];
    };
    if (isArrayBindingPattern(pattern)) {
      const index = [...pattern.elements].indexOf(element);
      return source().flatMap((value) => this.elementsOf(value, index, element));
    }
    const name = element.propertyName ?? element.name;
    if (!isObjectBindingPattern(pattern) || !isIdentifier(name)) return [{ kind: 'unknown', at: element }];
    const type = this.sources.typeOf(pattern);
    if (name.text === 'message' && type?.getSymbol()?.name === 'AwsError')
      return [{ kind: 'unknown', at: element, relayed: true }];
    const values = this.memberOf(source, name, () => type && this.sources.checker.getPropertyOfType(type, name.text));
    return element.initializer ? [...values, ...this.value(element.initializer, scope)] : values;
  }

  private member(object: Expression, name: Identifier, scope: Scope | undefined): Value[] {
    if (name.text === 'message') {
      const messages = this.messageOf(object);
      if (messages) return messages;
    }
    return this.memberOf(
      () => this.value(object, scope),
      name,
      () => this.sources.symbolOf(name),
    );
  }

  /**
   * A member of objects: as they are written where the sources show the objects themselves, else whatever any object of
   * the type is given for it.
   */
  private memberOf(objects: () => Value[], name: Identifier, symbolOf: () => TsSymbol | undefined): Value[] {
    const symbol = symbolOf();
    const methods = symbol ? this.sources.declarationsOf(symbol).filter((node) => isMethodDeclaration(node)) : [];
    if (methods.length)
      return methods.map((node) =>
        this.holdsWords(node, 1) ? { kind: 'node', node, scope: undefined } : { kind: 'unknown', at: name },
      );
    if (!symbol || !this.hasWords(symbol)) return [{ kind: 'unknown', at: name }];
    let found: Value[] | undefined;
    try {
      const values = objects();
      if (values.length && values.every((value) => value.kind === 'node' && isObjectLiteralExpression(value.node)))
        found = values.flatMap((value) => this.givenMember(value, name.text, name));
    } catch (error) {
      if (!(error instanceof NeedsCaller)) throw error;
    }
    return found ?? this.writes(symbol, name);
  }

  /** Whether any object is given words for a member. */
  private hasWords(symbol: TsSymbol): boolean {
    const key = this.sources.keyOf(symbol);
    const known = this.wordy.get(key);
    if (known !== undefined) return known;
    const found = this.sources.named(symbol.name).some((name) => {
      const written = this.givenAt(name, symbol);
      return written !== undefined && this.holdsWords(written, 2);
    });
    this.wordy.set(key, found);
    return found;
  }

  /** What a name stands for where it is used as a value. */
  private meaningOf(node: Identifier): TsSymbol | undefined {
    return isShorthandPropertyAssignment(node.parent)
      ? this.sources.valueOfShorthand(node)
      : this.sources.symbolOf(node);
  }

  /** Whether a node has words in it, or a name of something that has. @param follows names within names */
  private holdsWords(within: Node, follows: number): boolean {
    let found = false;
    walk(within, (node) => {
      if (found) return;
      if (isIdentifier(node)) {
        const symbol = follows > 0 ? this.meaningOf(node) : undefined;
        const declarations = symbol ? this.sources.declarationsOf(symbol) : [];
        found = declarations.some(
          (declaration) =>
            (isVariableDeclaration(declaration) || isFunctionDeclaration(declaration)) &&
            !declaration.getSourceFile().isDeclarationFile &&
            this.holdsWords(declaration, follows - 1),
        );
      } else if ('text' in node) found = isWords(String(node.text));
    });
    return found;
  }

  /** A member of an object literal; nothing where it has none. */
  private givenMember(object: Value, name: string, at: Node): Value[] {
    if (object.kind !== 'node' || !isObjectLiteralExpression(object.node)) return [{ kind: 'unknown', at }];
    const { scope } = object;
    let found: Value[] = [];
    for (const property of object.node.properties) {
      if (isSpreadAssignment(property)) {
        const spread = this.once(property, () =>
          this.value(property.expression, scope).flatMap((value) => this.givenMember(value, name, at)),
        );
        found = [...found, ...spread];
      } else if (isPropertyAssignment(property) && textOfName(property.name) === name)
        found = this.value(property.initializer, scope);
      else if (isShorthandPropertyAssignment(property) && isIdentifier(property.name) && property.name.text === name)
        found = this.shorthand(property.name, scope);
      else if (isMethodDeclaration(property) && textOfName(property.name) === name)
        found = [{ kind: 'node', node: property, scope }];
    }
    return found;
  }

  private shorthand(name: Identifier, scope: Scope | undefined): Value[] {
    const symbol = this.sources.valueOfShorthand(name);
    if (!symbol) return [{ kind: 'unknown', at: name }];
    return this.sources
      .declarationsOf(symbol)
      .flatMap((declaration) => this.deeper(name, () => this.declared(declaration, symbol, scope, name)));
  }

  /** Whatever the sources give a member of a type. */
  private writes(symbol: TsSymbol, at: Node): Value[] {
    const key = this.sources.keyOf(symbol);
    if (this.writing.has(key)) return [];
    const declarations = this.sources.declarationsOf(symbol);
    if (!declarations.length || declarations.every((declaration) => declaration.getSourceFile().isDeclarationFile))
      return [{ kind: 'unknown', at }];
    this.writing.add(key);
    try {
      const values: Value[] = this.sources.named(symbol.name).flatMap((name) => this.writtenAt(name, symbol));
      for (const declaration of declarations)
        if (isMethodDeclaration(declaration)) values.push({ kind: 'node', node: declaration, scope: undefined });
        else if (isPropertyDeclaration(declaration) && declaration.initializer)
          values.push(...this.value(declaration.initializer, undefined));
        else if (isParameterDeclaration(declaration)) values.push(...this.parameter(declaration, undefined));
      return values.length ? values : [{ kind: 'unknown', at }];
    } finally {
      this.writing.delete(key);
    }
  }

  private writtenAt(name: Identifier, symbol: TsSymbol): Value[] {
    const given = this.givenAt(name, symbol);
    if (!given) return [];
    if (isMethodDeclaration(given)) return [{ kind: 'node', node: given, scope: undefined }];
    return isShorthandPropertyAssignment(name.parent)
      ? this.shorthand(name, undefined)
      : this.value(given as Expression, undefined);
  }

  /** What a member is given where one of its names is: the expression, or the method itself. */
  private givenAt(name: Identifier, symbol: TsSymbol): Node | undefined {
    const { parent } = name;
    const is = (other: TsSymbol | undefined) => other !== undefined && this.sources.same(symbol, other);
    if (isGivenMember(name)) {
      if (!is(this.sources.symbolOf(name)) && !this.sources.membersWrittenFor(name).some(is)) return undefined;
      return isPropertyAssignment(parent) ? parent.initializer : name;
    }
    if (isMethodDeclaration(parent) && parent.name === name && isObjectLiteralExpression(parent.parent))
      return this.sources.membersWrittenFor(name).some(is) ? parent : undefined;
    if (!isPropertyAccessExpression(parent) || parent.name !== name) return undefined;
    const assignment = parent.parent;
    return isBinaryExpression(assignment) &&
      assignment.left === parent &&
      assignment.operatorToken.kind === SyntaxKind.EqualsToken &&
      is(this.sources.symbolOf(name))
      ? assignment.right
      : undefined;
  }

  /** The messages of an error that was caught; undefined where the object is no error. */
  private messageOf(object: Expression): Value[] | undefined {
    const type = this.sources.typeOf(object);
    const symbol = type?.getSymbol();
    if (!type || !symbol) return undefined;
    if (symbol.name === 'AwsError') return [{ kind: 'unknown', at: object, relayed: true }];
    const declarations = this.sources.declarationsOf(symbol);
    const grammar = declarations
      .map((declaration) => grammarErrors(declaration.getSourceFile().fileName))
      .find((found) => found);
    if (grammar) return grammar.map((text) => ({ kind: 'text', text, at: object }));
    const made = declarations.filter(
      (declaration) => isClassDeclaration(declaration) && !declaration.getSourceFile().isDeclarationFile,
    );
    if (!made.length) return undefined;
    const creations = made.flatMap((declaration) => this.creationsOf(declaration));
    if (!this.inside) return creations.flatMap((creation) => this.messageOfCreation(creation));
    // The sentence is one of its own; it would be told once for each that it comes in.
    for (const creation of creations) this.inner.add(creation);
    return [{ kind: 'unknown', at: object }];
  }

  /** Where objects of a class are made. */
  private creationsOf(declaration: Node): NewExpression[] {
    const symbol = isClassDeclaration(declaration) && declaration.name && this.sources.symbolOf(declaration.name);
    if (!symbol) return [];
    return this.sources.referencesTo(symbol).flatMap(({ parent }) => (isNewExpression(parent) ? [parent] : []));
  }

  /** The message of an error that is made: what the constructor of its class hands on. */
  messageOfCreation(creation: NewExpression): Value[] {
    const symbol = isIdentifier(creation.expression) && this.sources.symbolOf(creation.expression);
    const declaration = symbol && this.sources.declarationsOf(symbol).find((node) => isClassDeclaration(node));
    if (!declaration || !isClassDeclaration(declaration)) return [];
    const made = declaration.members.find(isConstructorDeclaration);
    const binding = this.bindingOf({ kind: 'arguments', args: [...(creation.arguments ?? [])] }, undefined);
    if (!made) return binding(0);
    const scope: Scope = { fn: made, binding, outer: undefined };
    let found: Value[] = [];
    walk(made, (node) => {
      if (isCallExpression(node) && node.expression.kind === SyntaxKind.SuperKeyword && node.arguments[0])
        found = this.value(node.arguments[0], scope);
    });
    return found;
  }

  private element(object: Expression, key: Expression, scope: Scope | undefined): Value[] {
    const keys = this.keysOf(key, scope);
    return this.value(object, scope).flatMap((value): Value[] => {
      if (value.kind === 'node' && isObjectLiteralExpression(value.node)) {
        if (keys) return keys.flatMap((name) => this.givenMember(value, name, key));
        return this.membersOf(value);
      }
      return this.elementsOf(value, keys?.length === 1 ? Number(keys[0]) : undefined, key);
    });
  }

  /** The keys that an expression may be, where all of them are known. */
  private keysOf(key: Expression, scope: Scope | undefined): string[] | undefined {
    try {
      const values = this.value(key, scope);
      const texts = values.flatMap((value) =>
        value.kind === 'text' && !value.text.includes(HOLE) ? [value.text] : [],
      );
      return values.length && texts.length === values.length ? texts : undefined;
    } catch (error) {
      if (error instanceof NeedsCaller) return undefined;
      throw error;
    }
  }

  /** All members of an object literal. */
  private membersOf(object: Value): Value[] {
    if (object.kind !== 'node' || !isObjectLiteralExpression(object.node)) return [];
    const { scope } = object;
    return object.node.properties.flatMap((property): Value[] => {
      if (isPropertyAssignment(property)) return this.value(property.initializer, scope);
      if (isShorthandPropertyAssignment(property) && isIdentifier(property.name))
        return this.shorthand(property.name, scope);
      if (isMethodDeclaration(property)) return [{ kind: 'node', node: property, scope }];
      if (isSpreadAssignment(property))
        return this.once(property, () =>
          this.value(property.expression, scope).flatMap((value) => this.membersOf(value)),
        );
      return [];
    });
  }

  /** The elements of what an expression comes to. */
  private elements(node: Expression, scope: Scope | undefined): Value[] {
    return this.deeper(node, () => this.value(node, scope).flatMap((value) => this.elementsOf(value, undefined, node)));
  }

  /** @param index one element only */
  private elementsOf(value: Value, index: number | undefined, at: Node): Value[] {
    if (value.kind === 'list') return index === undefined ? [...value.values] : value.values.slice(index, index + 1);
    if (value.kind !== 'node') return [{ kind: 'unknown', at }];
    const { node, scope } = value;
    if (isNewExpression(node) && node.arguments?.[0]) return this.elements(node.arguments[0], scope);
    if (!isArrayLiteralExpression(node)) return [{ kind: 'unknown', at }];
    const elements = [...node.elements];
    const chosen = index === undefined || elements.some(isSpreadElement) ? elements : elements.slice(index, index + 1);
    return chosen.flatMap((element) =>
      isSpreadElement(element) ? this.elements(element.expression, scope) : this.value(element, scope),
    );
  }

  private call(node: CallExpression, scope: Scope | undefined): Value[] {
    const callee = node.expression;
    if (isPropertyAccessExpression(callee)) {
      const special = this.method(callee.expression, callee.name.text, node, scope);
      if (special) return special;
    }
    const binding = this.bindingOf({ kind: 'arguments', args: [...node.arguments] }, scope);
    return this.value(callee, scope).flatMap((value): Value[] => {
      // A text is not called; its type was narrowed before.
      if (value.kind === 'text') return [];
      return value.kind === 'node' && isFunctionLikeDeclaration(value.node)
        ? this.returned(value.node, { fn: value.node, binding, outer: value.scope })
        : [{ kind: 'unknown', at: node }];
    });
  }

  /** What a function returns. */
  private returned(fn: Node, scope: Scope): Value[] {
    return this.once(fn, () => {
      const { body } = fn as { body?: Node };
      if (!body) return [{ kind: 'unknown', at: fn }];
      if (!isBlock(body)) return isExpression(body) ? this.value(body, scope) : [];
      const results: Value[] = [];
      walk(body, (node) => {
        if (isReturnStatement(node) && node.expression && functionAround(node) === fn)
          results.push(...this.value(node.expression, scope).filter((value) => !this.isObject(value)));
      });
      return results;
    });
  }

  /** Whether what is unknown is something that cannot be a text. */
  private isObject(value: Value): boolean {
    if (value.kind !== 'unknown' || !isExpression(value.at)) return false;
    const type = this.sources.typeOf(value.at);
    return type !== undefined && (type.flags & TypeFlags.Object) !== 0;
  }

  /** Methods of arrays, maps and texts; undefined for any other. */
  private method(
    object: Expression,
    name: string,
    call: CallExpression,
    scope: Scope | undefined,
  ): Value[] | undefined {
    switch (name) {
      case 'replace':
      case 'replaceAll':
      case 'trim':
      case 'slice': {
        const values = this.value(object, scope);
        const texts = values.filter((value) => value.kind === 'text' || (value.kind === 'unknown' && value.relayed));
        if (texts.length) return texts;
        return name === 'slice'
          ? [{ kind: 'list', values: values.flatMap((value) => this.elementsOf(value, undefined, call)) }]
          : undefined;
      }
      case 'join': {
        // Sentences that follow each other; names in a list begin with no capital.
        const values = this.elements(object, scope);
        return values.some((value) => value.kind === 'text' && isWords(value.text) && /[A-Z]/.test(value.text))
          ? values
          : [{ kind: 'unknown', at: call }];
      }
      case 'get':
      case 'find':
      case 'at': {
        const found = this.value(object, scope).flatMap((value) => {
          const elements = this.elementsOf(value, undefined, call);
          const isMap = name === 'get' && value.kind === 'node' && isNewExpression(value.node);
          return isMap ? elements.flatMap((pair) => this.elementsOf(pair, 1, call)) : elements;
        });
        return found.some((value) => value.kind !== 'unknown') ? found : undefined;
      }
      case 'filter':
      case 'toSorted':
      case 'sort':
        return [{ kind: 'list', values: this.elements(object, scope) }];
      case 'values':
      case 'entries': {
        const [table] = call.arguments;
        if (!table || !isIdentifier(object) || object.text !== 'Object') return undefined;
        const values = this.value(table, scope).flatMap((value) => this.membersOf(value));
        return [{ kind: 'list', values: name === 'values' ? values : values.map(asEntry) }];
      }
      case 'map':
      case 'flatMap': {
        const [callback] = call.arguments;
        if (!callback) return undefined;
        const binding: Binding = (index) => (index === 0 ? this.elements(object, scope) : []);
        const results = this.value(callback, scope).flatMap((value): Value[] =>
          value.kind === 'node' && isFunctionLikeDeclaration(value.node)
            ? this.returned(value.node, { fn: value.node, binding, outer: value.scope })
            : [{ kind: 'unknown', at: call }],
        );
        return [{ kind: 'list', values: results }];
      }
      default:
        return undefined;
    }
  }
}

/** A key that is not looked at and a member of an object, as `Object.entries` has them. */
const asEntry = (value: Value): Value => ({ kind: 'list', values: [{ kind: 'list', values: [] }, value] });

const onlyHoles = (text: string): boolean => text !== '' && [...text].every((character) => character === HOLE);

function textOfName(name: Node): string | undefined {
  return isIdentifier(name) || isStringLiteral(name) || isNumericLiteral(name) ? name.text : undefined;
}

/** `<file>:<line>` of a node. */
export function placeOf(node: Node): string {
  const file = node.getSourceFile();
  const line = file.text.slice(0, node.getStart(file)).split('\n').length;
  return `${file.fileName}:${line}`;
}
