/** A problem with a resource or event, with SAM's message. */
export class SamProblem extends Error {
  override readonly name = 'SamProblem';
}

/** Returns a problem with one resource of a template. */
export const resourceProblem = (id: string, problem: string): SamProblem =>
  new SamProblem(`Resource with id [${id}] is invalid. ${problem}`);

/** Returns a problem with an event of a resource. */
export const eventProblem = (id: string, problem: string): SamProblem =>
  new SamProblem(`Event with id [${id}] is invalid. ${problem}`);

/** Returns a problem with the template itself. */
export const documentProblem = (problem: string): SamProblem =>
  new SamProblem(`Structure of the SAM template is invalid. ${problem}`);

/** Returns a generated resource whose id another resource of the template already uses. */
export const duplicateProblem = (owner: string, id: string, type: string): SamProblem =>
  new SamProblem(
    `Transforming resource with id [${owner}] attempts to create a new resource with id [${id}] and type "${type}". A resource with that id already exists within this template. Please use a different id for that resource.`,
  );

/** A template that cannot be translated: all problems without duplicates, sorted by id. */
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

/** Returns the id of the resource or event of a problem. */
const idOf = (problem: string): string =>
  /^(?:Transforming resource|Resource|Event) with id \[([^\]]*)\]/.exec(problem)?.[1] ?? '';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
