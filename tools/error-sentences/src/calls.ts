import type { Expression, Identifier, Node } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isClassDeclaration,
  isConditionalExpression,
  isConstructorDeclaration,
  isExportSpecifier,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isImportSpecifier,
  isMethodDeclaration,
  isNewExpression,
  isNonNullExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import type { Symbol as TsSymbol } from 'typescript/unstable/sync';
import { classAround, functionAround, isGivenMember, type Sources } from './sources.ts';

/** A place that calls a function. */
export type CallSite =
  | { readonly kind: 'arguments'; readonly args: readonly Expression[] }
  /** A callback of an array's method: it gets the elements of this. */
  | { readonly kind: 'elements'; readonly of: Expression };

const CALLBACK_METHODS = new Set(['map', 'flatMap', 'forEach', 'filter', 'find', 'some', 'every', 'findIndex']);

/** Finds where functions of the sources are called, also where they were handed on as values. */
export class Calls {
  private readonly known = new Map<Node, CallSite[]>();
  private readonly active = new Set<Node>();

  constructor(private readonly sources: Sources) {}

  /** The calls of a function. */
  of(fn: Node): CallSite[] {
    const known = this.known.get(fn);
    if (known) return known;
    if (this.active.has(fn)) return [];
    this.active.add(fn);
    const found = this.find(fn);
    this.active.delete(fn);
    this.known.set(fn, found);
    return found;
  }

  private find(fn: Node): CallSite[] {
    if (isArrowFunction(fn) || isFunctionExpression(fn)) return this.usesOf(fn);
    if (isConstructorDeclaration(fn)) {
      const around = classAround(fn);
      const name = around && isClassDeclaration(around) ? around.name : undefined;
      const symbol = name && this.sources.symbolOf(name);
      return symbol ? this.usesOfSymbol(symbol) : [];
    }
    const name = isFunctionDeclaration(fn) || isMethodDeclaration(fn) ? fn.name : undefined;
    return name && isIdentifier(name) ? [...this.usesOfName(name), ...this.usesByInterfaces(fn, name)] : [];
  }

  /** The calls of a method by the interfaces that its class implements. */
  private usesByInterfaces(fn: Node, name: Identifier): CallSite[] {
    const around = classAround(fn);
    if (!around || !isClassDeclaration(around)) return [];
    return [...(around.heritageClauses ?? [])].flatMap((clause) =>
      [...clause.types].flatMap(({ expression }) => {
        const type = isIdentifier(expression) ? this.sources.symbolOf(expression) : undefined;
        const member =
          type && this.sources.checker.getPropertyOfType(this.sources.checker.getDeclaredTypeOfSymbol(type), name.text);
        return member ? this.usesOfSymbol(member) : [];
      }),
    );
  }

  /** The calls of what a declaring name stands for. */
  private usesOfName(name: Identifier): CallSite[] {
    const symbols = [this.sources.symbolOf(name), ...this.sources.membersWrittenFor(name)];
    return symbols.flatMap((symbol) => (symbol ? this.usesOfSymbol(symbol) : []));
  }

  private usesOfSymbol(symbol: TsSymbol): CallSite[] {
    return this.sources.referencesTo(symbol).flatMap((node) => {
      const { parent } = node;
      if (isImportSpecifier(parent) || isExportSpecifier(parent) || isGivenMember(node)) {
        if (isShorthandPropertyAssignment(parent)) return this.usesOfName(node);
        return [];
      }
      if (isPropertyAccessExpression(parent) && parent.name === node) return this.usesOf(parent);
      const declares =
        (isVariableDeclaration(parent) ||
          isParameterDeclaration(parent) ||
          isFunctionDeclaration(parent) ||
          isMethodDeclaration(parent) ||
          isClassDeclaration(parent) ||
          isPropertyDeclaration(parent)) &&
        parent.name === node;
      return declares ? [] : this.usesOf(node);
    });
  }

  /** The calls of the value of an expression. */
  private usesOf(value: Expression): CallSite[] {
    const { parent } = value;
    if (isCallExpression(parent) || isNewExpression(parent)) {
      if (parent.expression === value) return [{ kind: 'arguments', args: [...(parent.arguments ?? [])] }];
      return this.handedOn(parent.expression, [...(parent.arguments ?? [])].indexOf(value));
    }
    if (isPropertyAssignment(parent) && isIdentifier(parent.name)) return this.usesOfName(parent.name);
    if (isVariableDeclaration(parent) || isPropertyDeclaration(parent))
      return isIdentifier(parent.name) ? this.usesOfName(parent.name) : [];
    if (isArrowFunction(parent) || isReturnStatement(parent)) {
      // The value that a function returns is called where its callers call what they got; those are few.
      const fn = isArrowFunction(parent) ? parent : functionAround(parent);
      return fn ? this.callsOfResults(fn) : [];
    }
    if (isConditionalExpression(parent) || isBinaryExpression(parent) || isWrapper(parent)) return this.usesOf(parent);
    return [];
  }

  private callsOfResults(fn: Node): CallSite[] {
    const name = isFunctionDeclaration(fn)
      ? fn.name
      : isVariableDeclaration(fn.parent) && isIdentifier(fn.parent.name)
        ? fn.parent.name
        : undefined;
    const symbol = name && this.sources.symbolOf(name);
    if (!symbol || this.active.has(fn)) return [];
    this.active.add(fn);
    const found = this.sources
      .referencesTo(symbol)
      .flatMap((node) =>
        isCallExpression(node.parent) && node.parent.expression === node ? this.usesOf(node.parent) : [],
      );
    this.active.delete(fn);
    return found;
  }

  /** A function that is an argument: the calls of the parameter, or the elements of the array whose method it is for. */
  private handedOn(callee: Expression, index: number): CallSite[] {
    const name = isPropertyAccessExpression(callee) ? callee.name : callee;
    if (!isIdentifier(name)) return [];
    const symbol = this.sources.symbolOf(name);
    const own = symbol ? this.sources.declarationsOf(symbol) : [];
    const parameters = own.flatMap((declaration) => parametersOf(declaration)[index] ?? []);
    const inside = parameters.filter((parameter) => !parameter.getSourceFile().isDeclarationFile);
    if (!inside.length)
      return isPropertyAccessExpression(callee) && CALLBACK_METHODS.has(name.text)
        ? [{ kind: 'elements', of: callee.expression }]
        : [];
    return inside.flatMap((parameter) =>
      isParameterDeclaration(parameter) && isIdentifier(parameter.name) ? this.usesOfName(parameter.name) : [],
    );
  }
}

/** Brackets, assertions and the like, which leave a value as it is. */
const isWrapper = (node: Node): node is Expression =>
  isParenthesizedExpression(node) ||
  isAsExpression(node) ||
  isSatisfiesExpression(node) ||
  isNonNullExpression(node) ||
  isAwaitExpression(node);

/** The parameters of a declared function, of the function that a variable is, or of a class's constructor. */
export function parametersOf(declaration: Node): Node[] {
  const fn = isVariableDeclaration(declaration)
    ? declaration.initializer
    : isClassDeclaration(declaration)
      ? declaration.members.find(isConstructorDeclaration)
      : declaration;
  return fn && 'parameters' in fn ? [...(fn.parameters as Iterable<Node>)] : [];
}
