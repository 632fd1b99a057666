/** What is wrong with a resource or an event, as SAM words it. */
export class SamProblem extends Error {
  override readonly name = 'SamProblem';
}

/** What is wrong with one resource of a template. */
export const resourceProblem = (id: string, problem: string): SamProblem =>
  new SamProblem(`Resource with id [${id}] is invalid. ${problem}`);

/** What is wrong with an event of a resource. */
export const eventProblem = (id: string, problem: string): SamProblem =>
  new SamProblem(`Event with id [${id}] is invalid. ${problem}`);

/** What is wrong with the template itself. */
export const documentProblem = (problem: string): SamProblem =>
  new SamProblem(`Structure of the SAM template is invalid. ${problem}`);

/** A resource that is to be made, the id of which another one of the template has. */
export const duplicateProblem = (owner: string, id: string, type: string): SamProblem =>
  new SamProblem(
    `Transforming resource with id [${owner}] attempts to create a new resource with id [${id}] and type "${type}". A resource with that id already exists within this template. Please use a different id for that resource.`,
  );

/** A template that cannot be translated: everything that is wrong with it, in the order of the ids, each once. */
export class InvalidSamTemplate extends Error {
  override readonly name = 'InvalidSamTemplate';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const sorted = [...new Set(problems)].sort((a, b) => compare(idOf(a), idOf(b)));
    super(
      `Invalid Serverless Application Specification document. Number of errors found: ${sorted.length}. ${sorted.join(' ')}`,
    );
    this.problems = sorted;
  }
}

/** The id of the resource, or of the event, that a problem is about. */
const idOf = (problem: string): string =>
  /^(?:Transforming resource|Resource|Event) with id \[([^\]]*)\]/.exec(problem)?.[1] ?? '';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
