import type { Expression, Node } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
} from 'typescript/unstable/ast/is';
import { Evaluator, placeOf } from './evaluate.ts';
import { Sources, walk } from './sources.ts';
import { HOLE, type Value } from './values.ts';

/** A sentence that an error may have. */
export interface Sentence {
  /** The package's folder, e.g. `packages/svc-sqs`. */
  readonly package: string;
  /** The error's code; a hole where it is only known at run time. */
  readonly code: string;
  /** The message, with holes for what is only known at run time. */
  readonly message: string;
}

/** A message that the sources do not show, by where it is. */
export interface Unresolved {
  readonly file: string;
  /** File and line. */
  readonly place: string;
  /** The expression that the error is given. */
  readonly expression: string;
  /** File and line that say no more. */
  readonly origin: string;
}

/** What the sources say of errors. */
export interface Collection {
  readonly sentences: readonly Sentence[];
  readonly unresolved: readonly Unresolved[];
}

interface Sink {
  readonly code: Expression;
  readonly message: Expression;
}

/** Members of answers that carry an error's code and its message. */
const PAIRS = [
  ['Code', 'Message'],
  ['ErrorCode', 'ErrorMessage'],
  ['ErrorCode', 'Message'],
] as const;
/** The same of what services keep of failures, to tell it later. */
const KEPT = ['code', 'message'] as const;

/** Collects every sentence of an error from the sources of packages. */
export function collect(config: string, root: string): Collection {
  const sources = new Sources(
    config,
    (file) =>
      file.startsWith(`${root}/packages/`) && /\/packages\/[^/]+\/src\//.test(file) && !/\/generated\//.test(file),
  );
  try {
    return new Collector(sources, root).collect();
  } finally {
    sources.close();
  }
}

class Collector {
  private readonly evaluator: Evaluator;
  private readonly sentences = new Map<string, Sentence>();
  private readonly unresolved = new Map<string, Unresolved>();

  constructor(
    private readonly sources: Sources,
    private readonly root: string,
  ) {
    this.evaluator = new Evaluator(sources);
  }

  collect(): Collection {
    for (const file of this.sources.files.filter(({ fileName }) => !fileName.endsWith('/wire/src/errors.ts')))
      walk(file, (node) => {
        const sink = sinkOf(node);
        if (sink) this.add(sink);
      });
    for (const creation of this.evaluator.inner)
      for (const [messages = []] of this.evaluator.waysOfCreation(creation))
        for (const message of messages)
          if (message.kind === 'text' && !isOnlyHoles(message.text))
            this.sentence(this.packageOf(message.at), HOLE, message.text);
    return { sentences: [...this.sentences.values()], unresolved: [...this.unresolved.values()] };
  }

  private add(sink: Sink): void {
    for (const [codes, messages] of this.evaluator.ways([sink.code, sink.message]) as Iterable<[Value[], Value[]]>)
      for (const message of messages) {
        if (message.kind === 'unknown' && message.relayed) continue;
        if (message.kind !== 'text' || isOnlyHoles(message.text)) {
          this.miss(sink, message);
          continue;
        }
        // What has no word is a sign within the sources, not a sentence.
        if (message.text !== '' && !/[A-Za-z]/.test(message.text)) continue;
        const known = codes.flatMap((code) => (code.kind === 'text' ? [code.text] : [HOLE]));
        for (const code of known.length ? known : [HOLE]) this.sentence(this.packageOf(message.at), code, message.text);
      }
  }

  private sentence(folder: string, code: string, message: string): void {
    this.sentences.set(`${folder}\n${code}\n${message}`, { package: folder, code, message });
  }

  private miss(sink: Sink, value: Value): void {
    const at = value.kind === 'unknown' || value.kind === 'text' ? value.at : sink.message;
    const place = placeOf(sink.message).slice(this.root.length + 1);
    const expression = sink.message.getText();
    const origin = placeOf(at).slice(this.root.length + 1);
    this.unresolved.set(`${place} ${origin}`, { file: place.replace(/:\d+$/, ''), place, expression, origin });
  }

  private packageOf(node: Node): string {
    return node
      .getSourceFile()
      .fileName.slice(this.root.length + 1)
      .split('/')
      .slice(0, 2)
      .join('/');
  }
}

const isOnlyHoles = (text: string): boolean => text !== '' && text.replaceAll(HOLE, '').trim() === '';

/** The code and the message that a node gives an error; undefined for any other node. */
function sinkOf(node: Node): Sink | undefined {
  if (isCallExpression(node) && isIdentifier(node.expression) && node.expression.text === 'awsError') {
    const [code, message] = node.arguments;
    return code && message && { code, message };
  }
  if (isNewExpression(node) && isIdentifier(node.expression) && node.expression.text === 'AwsError') {
    const [code, message] = node.arguments ?? [];
    return code && message && { code, message };
  }
  if (!isObjectLiteralExpression(node)) return undefined;
  const keeps = /\/packages\/svc-/.test(node.getSourceFile().fileName);
  for (const [codeName, messageName] of keeps ? [...PAIRS, KEPT] : PAIRS) {
    const code = given(node, codeName);
    const message = given(node, messageName);
    if (code && message) return { code, message };
  }
  return undefined;
}

function given(object: Node, name: string): Expression | undefined {
  if (!isObjectLiteralExpression(object)) return undefined;
  for (const property of object.properties) {
    if (isPropertyAssignment(property) && isIdentifier(property.name) && property.name.text === name)
      return property.initializer;
    if (isShorthandPropertyAssignment(property) && isIdentifier(property.name) && property.name.text === name)
      return property.name;
  }
  return undefined;
}
