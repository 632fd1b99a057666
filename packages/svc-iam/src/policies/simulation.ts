import {
  type AttachedPolicy,
  type ContextValue,
  type Decision,
  evaluate,
  type MatchedStatement,
  numericKey,
  type PolicyPrincipal,
  parseArn,
  Slices,
  type StatementPosition,
  statementPositions,
} from '@emu/core/service';
import type {
  ContextEntry,
  EvaluationResult,
  ResourceSpecificResult,
  SimulateCustomPolicyRequest,
  Statement,
} from '@emu/service-types/iam';
import { AwsError } from '@emu/wire';
import { invalidInput } from '../errors.ts';
import { type PagedLike, paging } from '../paging.ts';
import { checkGrammar, checkIdentityPolicy } from './document.ts';

/** Simulated caller, in addition to the request's policies. */
export interface SimulatedCaller {
  /** Default caller of the simulation. */
  principal: PolicyPrincipal;
  /** Policies that the caller has. */
  policies: readonly AttachedPolicy[];
  /** Permissions boundary of the caller; replaced by one in the request. */
  boundary?: AttachedPolicy | undefined;
}

type Request = Omit<SimulateCustomPolicyRequest, 'PolicyInputList'> & { PolicyInputList?: string[] | undefined };

/** Number of matched statements at which a page of results ends. */
const MAX_STATEMENTS = 10_000;

/** Required resources of EC2 scenarios. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'EC2-Classic-InstanceStore': ['instance', 'image', 'security-group'],
  'EC2-Classic-EBS': ['instance', 'image', 'security-group', 'volume'],
  'EC2-VPC-InstanceStore': ['instance', 'image', 'security-group', 'network-interface'],
  'EC2-VPC-InstanceStore-Subnet': ['instance', 'image', 'security-group', 'network-interface', 'subnet'],
  'EC2-VPC-EBS': ['instance', 'image', 'security-group', 'network-interface', 'volume'],
  'EC2-VPC-EBS-Subnet': ['instance', 'image', 'security-group', 'network-interface', 'subnet', 'volume'],
};

/**
 * Returns the policies of a request, named by their position in it.
 * @throws AwsError `InvalidInput` for an invalid policy
 */
function inputPolicies(name: string, documents: readonly string[] = []): AttachedPolicy[] {
  return documents.map((document, index) => {
    asInput(() => checkIdentityPolicy(document));
    return { id: `${name}.${index + 1}`, document };
  });
}

/**
 * Validates policies whose condition keys are requested, of identities or resources.
 * @throws AwsError `InvalidInput`
 */
export function checkPolicies(documents: readonly string[]): void {
  for (const document of documents) asInput(() => checkGrammar(document));
}

/** Converts errors to the simulator's only error for invalid policies. */
function asInput(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof AwsError) throw invalidInput(error.message);
    throw error;
  }
}

/** A simulation of every action on every resource. */
export class Simulation {
  private readonly principal: PolicyPrincipal;
  private readonly identity: readonly AttachedPolicy[];
  private readonly boundary: readonly AttachedPolicy[] | undefined;
  private readonly resourcePolicy: AttachedPolicy | undefined;
  private readonly context: ReadonlyMap<string, ContextValue>;
  private readonly resources: readonly string[];
  /** Positions of the statements of each policy with results. */
  private readonly positions = new Map<string, StatementPosition[]>();

  /** @throws AwsError `InvalidInput` */
  constructor(
    private readonly request: Request,
    { principal, policies, boundary }: SimulatedCaller,
  ) {
    const { CallerArn, ResourcePolicy, PermissionsBoundaryPolicyInputList: boundaries = [] } = request;
    this.principal = CallerArn === undefined ? principal : callerOf(CallerArn);
    this.identity = [...policies, ...inputPolicies('PolicyInputList', request.PolicyInputList)];
    if (boundaries.length > 1) throw invalidInput('Only one permissions boundary policy can be simulated.');
    const [limit = boundary] = inputPolicies('PermissionsBoundaryPolicyInputList', boundaries);
    this.boundary = limit && [limit];
    if (ResourcePolicy !== undefined) {
      checkGrammar(ResourcePolicy);
      if (CallerArn === undefined && principal.type !== 'user')
        throw invalidInput('CallerArn is required with a resource policy.');
      this.resourcePolicy = { id: 'ResourcePolicy', type: 'resource', document: ResourcePolicy };
    }
    for (const action of request.ActionNames)
      if (!/^[\w-]+:[\w-]+$/.test(action)) throw invalidInput(`Invalid action name: ${action}`);
    this.resources = request.ResourceArns?.length ? request.ResourceArns : ['*'];
    checkScenario(request);
    this.context = contextOf(request.ContextEntries);
  }

  /**
   * Returns one page of results; only those of the page are evaluated. A page with many matched statements ends early.
   * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulateCustomPolicy.html
   */
  async page(operation: PagedLike<`Simulate${string}`>): Promise<{
    EvaluationResults: EvaluationResult[];
    IsTruncated?: boolean | undefined;
    Marker?: string | undefined;
  }> {
    const { ActionNames: actions, MaxItems = paging.rules.defaultLimit } = this.request;
    const count = actions.length * this.resources.length;
    const after = paging.after(operation, this.request);
    let index = after === undefined ? 0 : Number(after) + 1;
    const end = Math.min(count, index + MaxItems);
    const results: EvaluationResult[] = [];
    const slices = new Slices();
    for (let statements = 0; index < end && statements < MAX_STATEMENTS; index++) {
      const action = actions[Math.floor(index / this.resources.length)]!;
      const result = this.result(action, this.resources[index % this.resources.length]!);
      results.push(result);
      statements += result.MatchedStatements!.length;
      const pause = slices.pause();
      if (pause) await pause;
    }
    const next = paging.next(operation, this.request, index < count ? numericKey(index - 1) : undefined);
    return { EvaluationResults: results, ...next };
  }

  private result(action: string, resource: string): EvaluationResult {
    const owner = this.ownerOf(resource);
    const decision = evaluate(
      { principal: this.principal, action, resource, resourceAccountId: owner, context: this.context },
      {
        identity: this.identity,
        ...(this.boundary && { boundary: this.boundary }),
        ...(this.resourcePolicy && { resource: this.resourcePolicy }),
      },
    );
    const facts = {
      MatchedStatements: this.statementsOf(decision),
      MissingContextValues: [...decision.missingContextKeys],
      ...(this.boundary && {
        PermissionsBoundaryDecisionDetail: {
          AllowedByPermissionsBoundary: decision.verdicts.boundary === 'allowed',
        },
      }),
    };
    const specific: ResourceSpecificResult = {
      EvalResourceName: resource,
      EvalResourceDecision: decision.verdict,
      ...structuredClone(facts),
    };
    return {
      EvalActionName: action,
      EvalResourceName: resource,
      EvalDecision: decision.verdict,
      EvalDecisionDetails: this.detailsOf(decision, owner),
      ...facts,
      ...(this.request.ResourceArns?.length && { ResourceSpecificResults: [specific] }),
    };
  }

  /**
   * Returns the account of a resource: without a resource policy, the caller's account, so that only the caller's
   * policies count.
   */
  private ownerOf(resource: string): string {
    const { accountId } = this.principal;
    if (!this.resourcePolicy) return accountId;
    const owner = this.request.ResourceOwner;
    return parseArn(resource)?.accountId || (owner === undefined ? accountId : accountOf(owner));
  }

  /** Returns the decision of each side, if the caller and the resource are in different accounts. */
  private detailsOf({ verdicts }: Decision, owner: string): EvaluationResult['EvalDecisionDetails'] {
    if (owner === this.principal.accountId) return {};
    return {
      'IAM Policy': verdicts.identity ?? 'implicitDeny',
      'Resource Policy': verdicts.resource ?? 'implicitDeny',
    };
  }

  /** Returns the statements that determined the decision. */
  private statementsOf({ verdict, matched }: Decision): Statement[] {
    if (verdict === 'implicitDeny') return [];
    const effect = verdict === 'allowed' ? 'Allow' : 'Deny';
    return matched.filter((one) => one.effect === effect).map((one) => this.describe(one));
  }

  private describe({ kind, policy, index }: MatchedStatement): Statement {
    let positions = this.positions.get(policy.document);
    if (!positions) {
      positions = statementPositions(policy.document);
      this.positions.set(policy.document, positions);
    }
    // Undefined if the position cannot be found, for example because of escapes in the member's name.
    const position = positions[index];
    return {
      SourcePolicyId: policy.id,
      SourcePolicyType: kind === 'resource' ? 'Resource Policy' : 'IAM Policy',
      ...(position && {
        StartPosition: { Line: position.start.line, Column: position.start.column },
        EndPosition: { Line: position.end.line, Column: position.end.column },
      }),
    };
  }
}

/**
 * Returns the user of an ARN.
 * @throws AwsError `InvalidInput` for any other principal
 */
function callerOf(arn: string): PolicyPrincipal {
  const parsed = parseArn(arn);
  if (parsed?.service !== 'iam' || !/^\d{12}$/.test(parsed.accountId) || !parsed.resource.startsWith('user/'))
    throw invalidInput(`Invalid CallerArn: ${arn}`);
  return { type: 'user', accountId: parsed.accountId, arn };
}

/**
 * Returns the account of a resource owner.
 * @throws AwsError `InvalidInput`
 */
function accountOf(owner: string): string {
  const accountId = parseArn(owner)?.accountId ?? owner;
  if (!/^\d{12}$/.test(accountId)) throw invalidInput(`Invalid ResourceOwner: ${owner}`);
  return accountId;
}

/**
 * Checks a scenario.
 * @throws AwsError `InvalidInput` if it is unknown, or required resources are missing
 */
function checkScenario({ ResourceHandlingOption: option, ResourceArns: arns = [] }: Request): void {
  if (option === undefined) return;
  if (!Object.hasOwn(SCENARIOS, option)) throw invalidInput(`Invalid ResourceHandlingOption: ${option}`);
  for (const kind of SCENARIOS[option]!)
    if (!arns.some((arn) => parseArn(arn)?.resource.startsWith(`${kind}/`)))
      throw invalidInput(`ResourceHandlingOption ${option} requires a resource of type ${kind}.`);
}

/**
 * Returns the condition keys of a request by lower-case name.
 * @throws AwsError `InvalidInput`
 */
function contextOf(entries: readonly ContextEntry[] = []): Map<string, ContextValue> {
  const context = new Map<string, ContextValue>();
  for (const { ContextKeyName: name, ContextKeyValues: values = [], ContextKeyType: type = 'string' } of entries) {
    if (name === undefined || !values.length) throw invalidInput('Context entries must have a name and values.');
    if (!type.endsWith('List') && values.length > 1)
      throw invalidInput(`Context key ${name} of type ${type} has several values.`);
    context.set(name.toLowerCase(), type.endsWith('List') ? [...values] : values[0]!);
  }
  return context;
}
