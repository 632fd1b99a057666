import { type Identifier, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isClassDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportSpecifier,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
} from 'typescript/unstable/ast/is';
import {
  API,
  type Checker,
  type Project,
  SymbolFlags,
  type Symbol as TsSymbol,
  type Type,
} from 'typescript/unstable/sync';

/** The sources of a TypeScript project with what the compiler knows of their names. */
export class Sources {
  readonly files: SourceFile[];
  readonly checker: Checker;
  private readonly api: API;
  private readonly project: Project;
  private readonly identifiers = new Map<string, Identifier[]>();
  private readonly written = new Map<Identifier, readonly TsSymbol[]>();
  // Asking the compiler, and reading a name's text, costs a call to its process or a decoding; each is done once.
  private readonly texts = new Map<Identifier, string>();
  private readonly resolved = new Map<Identifier, TsSymbol>();
  private readonly resolvedNames = new Set<string>();
  private readonly targets = new Map<number, TsSymbol>();
  private readonly keys = new Map<number, readonly string[]>();
  private readonly references = new Map<number, readonly Identifier[]>();
  private readonly types = new Map<Node, Type | undefined>();

  /** @param config the project's file; its sources count where `includes` says so */
  constructor(config: string, includes: (file: string) => boolean) {
    this.api = new API();
    const snapshot = this.api.updateSnapshot({ openProjects: [config] });
    this.project = snapshot.getProject(config)!;
    this.checker = this.project.checker;
    this.files = this.project.program
      .getSourceFileNames()
      .filter(includes)
      .sort()
      .map((name) => this.project.program.getSourceFile(name)!);
    for (const file of this.files) walk(file, (node) => this.remember(node));
  }

  /** Ends the compiler's process. */
  close(): void {
    this.api.close();
  }

  private remember(node: Node): void {
    if (!isIdentifier(node)) return;
    const { text } = node;
    this.texts.set(node, text);
    const known = this.identifiers.get(text);
    if (known) known.push(node);
    else this.identifiers.set(text, [node]);
  }

  /** Every identifier of a name. */
  named(text: string): readonly Identifier[] {
    return this.identifiers.get(text) ?? [];
  }

  /** What a name stands for, imports followed; undefined for what the compiler does not know. */
  symbolOf(node: Identifier): TsSymbol | undefined {
    const text = this.texts.get(node);
    if (text === undefined) return undefined;
    if (!this.resolvedNames.has(text)) {
      this.resolvedNames.add(text);
      const nodes = this.named(text);
      const found = this.checker.getSymbolAtLocation(nodes);
      for (const [index, identifier] of nodes.entries()) {
        const symbol = found[index];
        if (symbol) this.resolved.set(identifier, this.target(symbol));
      }
    }
    return this.resolved.get(node);
  }

  private target(symbol: TsSymbol): TsSymbol {
    if (!(symbol.flags & SymbolFlags.Alias)) return symbol;
    let target = this.targets.get(symbol.id);
    if (!target) {
      target = this.checker.getAliasedSymbol(symbol);
      this.targets.set(symbol.id, target);
    }
    return target;
  }

  /** The type of a node; undefined for what the compiler does not know. */
  typeOf(node: Node): Type | undefined {
    if (!this.types.has(node)) this.types.set(node, this.checker.getTypeAtLocation(node));
    return this.types.get(node);
  }

  /** The nodes that declare a symbol. */
  declarationsOf(symbol: TsSymbol): Node[] {
    return symbol.declarations.flatMap((handle) => handle.resolve(this.project) ?? []);
  }

  /** Every identifier that stands for a symbol, under other names of imports too. */
  referencesTo(symbol: TsSymbol): readonly Identifier[] {
    let known = this.references.get(symbol.id);
    if (!known) {
      known = this.findReferences(symbol);
      this.references.set(symbol.id, known);
    }
    return known;
  }

  private findReferences(symbol: TsSymbol): Identifier[] {
    const keys = this.keysOf(symbol);
    const found = this.named(symbol.name).filter((node) => {
      const other = this.symbolOf(node);
      return other && (other.id === symbol.id || this.keysOf(other).some((key) => keys.includes(key)));
    });
    const renamed = found.flatMap((node) => {
      const specifier = node.parent;
      if (!isImportSpecifier(specifier) || specifier.propertyName !== node) return [];
      return this.named((specifier.name as Identifier).text).filter(
        (other) => other.getSourceFile() === node.getSourceFile() && this.symbolOf(other)?.id === symbol.id,
      );
    });
    return [...found, ...renamed];
  }

  /** The same text for the symbols of one member, which the compiler may make anew. */
  keyOf(symbol: TsSymbol): string {
    return this.keysOf(symbol).join();
  }

  /** Where a symbol is declared; two symbols of the same member of a type share one of these. */
  private keysOf(symbol: TsSymbol): readonly string[] {
    let keys = this.keys.get(symbol.id);
    if (!keys) {
      keys = symbol.declarations.map((handle) => `${handle.path} ${handle.index}`);
      this.keys.set(symbol.id, keys);
    }
    return keys;
  }

  /** Whether two symbols are, in one of their declarations, the same. */
  same(one: TsSymbol, other: TsSymbol): boolean {
    if (one.id === other.id) return true;
    const keys = this.keysOf(one);
    return this.keysOf(other).some((key) => keys.includes(key));
  }

  /** The members of the types that an object literal is written for, by the name of one of its own members. */
  membersWrittenFor(name: Identifier): readonly TsSymbol[] {
    let known = this.written.get(name);
    if (!known) {
      known = this.findMembers(name);
      this.written.set(name, known);
    }
    return known;
  }

  private findMembers(name: Identifier): TsSymbol[] {
    const literal = name.parent?.parent;
    const type = literal && isObjectLiteralExpression(literal) ? this.checker.getContextualType(literal) : undefined;
    if (!type) return [];
    const types = type.isUnionType() ? [type, ...type.getTypes()] : [type];
    return types.flatMap((part) => this.checker.getPropertyOfType(part, name.text) ?? []);
  }

  /** What the name of a shorthand member stands for as a value. */
  valueOfShorthand(name: Identifier): TsSymbol | undefined {
    return this.checker.getShorthandAssignmentValueSymbol(name.parent);
  }
}

/** Calls back for a node and all in it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => {
    walk(child, visit);
    return undefined;
  });
}

/** The function around a node, if any. */
export function functionAround(node: Node): Node | undefined {
  for (let at = node.parent; at; at = at.parent) if (isFunctionLikeDeclaration(at)) return at;
  return undefined;
}

/** The class around a node, if any. */
export function classAround(node: Node): Node | undefined {
  for (let at = node.parent; at; at = at.parent)
    if (isClassDeclaration(at) || at.kind === SyntaxKind.ClassExpression) return at;
  return undefined;
}

/** Whether an identifier names a member that an object literal is given. */
export const isGivenMember = (node: Identifier): boolean =>
  (isPropertyAssignment(node.parent) || isShorthandPropertyAssignment(node.parent)) && node.parent.name === node;
