import {
  type CallOptions,
  formatArn,
  roleSessionPrincipal,
  ServiceRole,
  type StateScope,
  waitFor,
} from '@emu/core/service';
import type { AccountGateResult, Parameter } from '@emu/service-types/cloudformation';
import { AwsError } from '@emu/wire';
import type { Stack } from '../stacks/registry.ts';
import { parseTemplate } from '../templates/parse.ts';
import { sameJson } from '../templates/values.ts';
import { passGate } from './account-gate.ts';
import type { Place, StackInstance, StackSet, StackSetOperation, StackSets } from './store.ts';
import { failureOf, type TargetStacks, targetStacks } from './targets.ts';

/** A failure reported as the reason of a result. */
class Failure extends Error {
  override readonly name = 'Failure';
}

/** Session name of the roles. */
const SESSION = 'AWSCloudFormation';

/** Target account and region of a step, as stored in an operation. */
type Result = StackSetOperation['results'][number];

/** Merges an instance's parameter overrides into the stack set's parameters. */
function overridden(parameters: readonly Parameter[], overrides: readonly Parameter[]): Parameter[] {
  const own = new Map(overrides.map((parameter) => [parameter.ParameterKey, parameter]));
  const kept = parameters.map((parameter) => own.get(parameter.ParameterKey) ?? parameter);
  const known = new Set(parameters.map(({ ParameterKey }) => ParameterKey));
  return [...kept, ...overrides.filter(({ ParameterKey }) => !known.has(ParameterKey))].map((one) => ({ ...one }));
}

/** Returns the ARN of a role in an account. */
const roleArn = ({ account, region }: Place, name: string): string =>
  formatArn({ service: 'iam', region: '', accountId: account, resource: `role/${name}` }, region);

/** One step of a stack set operation in one account and region. */
export class InstanceSteps {
  constructor(
    private readonly sets: StackSets,
    private readonly scope: StateScope,
    private readonly operation: StackSetOperation,
    private readonly signal: AbortSignal,
  ) {}

  private get set(): StackSet {
    return this.sets.find(this.operation.set)!;
  }

  /**
   * Runs the step.
   * @returns the reason of a failure, and the account gate's result if it was invoked
   */
  async run(result: Result): Promise<{ failure?: string; gate?: AccountGateResult }> {
    let gate: AccountGateResult | undefined;
    try {
      await this.checkRoles(result);
      if (this.operation.action !== 'DETECT_DRIFT' && !this.operation.imports) {
        gate = await passGate(this.scope, result, this.options(result));
        if (gate.Status === 'FAILED') throw new Failure(`AccountGate check failed: ${gate.StatusReason}`);
      }
      await this.act(result);
      return { ...(gate && { gate }) };
    } catch (error) {
      this.signal.throwIfAborted();
      if (error instanceof Failure || error instanceof AwsError)
        return { failure: error.message, ...(gate && { gate }) };
      throw error;
    }
  }

  private act(result: Result): Promise<void> {
    if (this.operation.imports) return this.import(result);
    if (this.operation.action === 'DELETE') return this.delete(result);
    return this.operation.action === 'DETECT_DRIFT' ? this.detectDrift(result) : this.deploy(result);
  }

  /** Returns the identity for stacks in an account: its execution role. */
  private options({ account, region }: Place): CallOptions {
    const { executionRoleName, endpoint, cause } = this.operation;
    const role = roleArn({ account, region }, executionRoleName);
    return {
      accountId: account,
      region,
      principal: roleSessionPrincipal(role, SESSION),
      endpoint,
      cause,
      signal: this.signal,
      authorize: {},
    };
  }

  /** Checks the trust policies of roles. If policies are enforced, roles must trust the principal that assumes them. */
  private async checkRoles({ account, region }: Place): Promise<void> {
    const { administrationRoleArn, executionRoleName, enforced, cause } = this.operation;
    if (!enforced) return;
    const administration = administrationRoleArn.slice(administrationRoleArn.lastIndexOf('/') + 1);
    const roleOr = (failure: string) =>
      new ServiceRole({ service: 'cloudformation', session: SESSION, refuse: () => new Failure(failure) });
    await roleOr(
      `Account ${this.scope.accountId} should have '${administration}' role with trust relationship to CloudFormation service.`,
    ).check(administrationRoleArn, this.scope, { cause });
    await roleOr(
      `Account ${account} should have '${executionRoleName}' role with trust relationship to Role '${administration}'.`,
    ).check(roleArn({ account, region }, executionRoleName), this.scope, {
      cause,
      principal: roleSessionPrincipal(administrationRoleArn, SESSION),
    });
  }

  private target(place: Place): TargetStacks {
    return targetStacks(this.scope.service, place);
  }

  private instance(place: Place): StackInstance {
    return this.sets.instance(this.operation.set, place)!;
  }

  /** Waits until no operation runs on a stack. */
  private async settled(target: TargetStacks, stackId: string): Promise<Stack> {
    const stack = () => target.find(stackId)!;
    await target.deployments.settled(stack().uuid);
    // An operation that another state resumes after a restart may not have started yet.
    if (/_IN_PROGRESS$/.test(stack().status))
      await waitFor(() => !/_IN_PROGRESS$/.test(stack().status), this.scope.clock, this.signal);
    return stack();
  }

  private async deploy(result: Result): Promise<void> {
    const { templateBody, parameters, capabilities, tags } = this.set;
    const instance = this.instance(result);
    const options = this.options(result);
    const target = this.target(result);
    const existing = instance.stackId === undefined ? undefined : target.find(instance.stackId);
    const input = {
      TemplateBody: templateBody,
      Parameters: overridden(parameters as Parameter[], instance.overrides as Parameter[]),
      Capabilities: [...capabilities],
      Tags: tags.map((tag) => ({ ...tag })),
      ClientRequestToken: this.operation.id,
    };
    let stackId = instance.stackId;
    if (existing && existing.status !== 'DELETE_COMPLETE') {
      try {
        await this.scope.call('cloudformation', 'UpdateStack', { StackName: stackId!, ...input }, options);
      } catch (error) {
        if (!(error instanceof AwsError) || error.message !== 'No updates are to be performed.') throw error;
      }
    } else {
      const StackName = instance.stackName;
      const made = await this.scope.call('cloudformation', 'CreateStack', { StackName, ...input }, options);
      stackId = made.StackId!;
      this.sets.updateInstance(this.operation.set, result, (draft) => {
        draft.stackId = stackId!;
      });
    }
    const stack = await this.settled(target, stackId!);
    if (!/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(stack.status)) throw new Failure(failureOf(target, stack));
  }

  private async delete(result: Result): Promise<void> {
    const { stackId } = this.instance(result);
    if (this.operation.retain || stackId === undefined) return;
    const target = this.target(result);
    if (!target.find(stackId)) return;
    await this.scope.call('cloudformation', 'DeleteStack', { StackName: stackId }, this.options(result));
    const stack = await this.settled(target, stackId);
    if (stack.status !== 'DELETE_COMPLETE') throw new Failure(failureOf(target, stack));
  }

  private async detectDrift(result: Result): Promise<void> {
    const { stackId } = this.instance(result);
    if (stackId === undefined) throw new Failure('The stack instance has no stack.');
    const target = this.target(result);
    const options = this.options(result);
    const { StackDriftDetectionId } = await this.scope.call(
      'cloudformation',
      'DetectStackDrift',
      { StackName: stackId },
      options,
    );
    await target.drifts.settled(StackDriftDetectionId);
    const detection = target.drifts.get(StackDriftDetectionId);
    if (detection?.status !== 'DETECTION_COMPLETE') throw new Failure(detection?.reason ?? 'Drift detection failed.');
    this.sets.updateInstance(this.operation.set, result, (draft) => {
      draft.drift = { status: detection.found!, checkedAt: detection.startedAt };
    });
  }

  /** Imports a stack into the set; it must match what the set would create. */
  private async import(result: Result): Promise<void> {
    const target = this.target(result);
    const stack = target.find(result.stackId!);
    if (!stack || !/^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT)_COMPLETE$/.test(stack.status))
      throw new Failure(`Stack ${result.stackId} cannot be imported in its current status.`);
    const own = parseTemplate(target.template(stack.templateId)!.body);
    if (!sameJson(own, parseTemplate(this.set.templateBody)))
      throw new Failure(`The template of stack ${result.stackId} differs from the template of the StackSet.`);
    const values = new Map(this.set.parameters.map((one) => [one.ParameterKey, one.ParameterValue]));
    this.sets.updateInstance(this.operation.set, result, (draft) => {
      draft.overrides = stack.parameters
        .filter(({ key, value }) => values.get(key) !== value)
        .map(({ key, value }) => ({ ParameterKey: key, ParameterValue: value }));
    });
  }
}
