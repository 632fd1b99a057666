import { copyOf, type ResourceProvider } from '@emu/core/service';
import type { Tag } from '@emu/service-types/cloudformation';
import { AwsError, isObject, textOf } from '@emu/wire';
import { invalid } from '../errors.ts';
import type { Run } from '../host.ts';
import { deniedByPolicy } from '../stacks/policy.ts';
import type { DeploymentRecord, OutputRecord } from '../stacks/records.ts';
import type { Evaluator } from '../templates/evaluate.ts';
import { dependenciesOf } from '../templates/references.ts';
import type { Template, TemplateResource } from '../templates/template.ts';
import type { JsonObject } from '../templates/values.ts';
import { currentValues, evaluatorFor, templateOf } from './evaluation.ts';
import { runGraph } from './graph.ts';
import { shownValue, usesHiddenAttribute } from './hidden.ts';
import { effectOf } from './properties.ts';
import {
  checkProperties,
  type DesiredResource,
  Ended,
  liveProperties,
  ownFailure,
  ResourceSteps,
  withTags,
} from './steps.ts';
import { unknownAttribute } from './unknown-attributes.ts';

/** Formats one failure in AWS's list format. */
export const listed = (what: string, names: readonly string[]): string =>
  `The following resource(s) failed to ${what}: [${names.join(', ')}]. `;

/** Returns the evaluated deletion and replacement policies of a resource; `Delete` by default. */
export function policyOf(evaluator: Evaluator, value: unknown): string {
  return value === undefined ? 'Delete' : textOf(evaluator.evaluate(value) ?? 'Delete');
}

/** Creates and updates the resources of a deployment, and reverts the changes of a failed one. */
export class Applying {
  private readonly steps: ResourceSteps;

  constructor(private readonly run: Run) {
    this.steps = new ResourceSteps(run);
  }

  /**
   * Applies the target of the operation.
   * @returns the reason of a failure
   */
  async apply(): Promise<string | undefined> {
    const { run } = this;
    const { store } = run.host;
    const operation = run.operation();
    if (operation.problem !== undefined) return `${operation.problem}. `;
    const target = copyOf(operation.target!) as DeploymentRecord;
    const stack = store.stack(run.stack)!;
    const template = templateOf(store, target);
    const imports = new Set<string>();
    const place = { stackId: store.arn(stack), stackName: stack.name, endpoint: operation.endpoint };
    const evaluator = evaluatorFor(store, template, target, place, currentValues(store, run.stack), (name) =>
      imports.add(name),
    );
    const failed: string[] = [];
    const creating = new Set<string>();
    const included = Object.keys(template.Resources).filter((name) => evaluator.includes(template.Resources[name]!));
    const providers = await this.providersOf(template, included, failed);
    const unknown = unknownAttribute(template, evaluator, providers);
    if (unknown !== undefined && failed.length === 0) return `${unknown}. `;
    this.refuseDeletions(included, failed);
    if (failed.length === 0)
      await runGraph(
        included,
        (name) => dependenciesOf(template.Resources[name]!, template),
        run.pause,
        async (name) => {
          if (!store.resource(run.stack, name)?.current || operation.live?.[name]?.status === 'DELETED')
            creating.add(name);
          const succeeded = await this.applyOne(name, template, evaluator, providers.get(name)!, target.tags);
          if (!succeeded) {
            failed.push(name);
            // Cancels resources in progress that wait.
            run.stop(new Error(`The resource ${name} failed`));
          }
          return succeeded;
        },
        () => failed.length > 0 || run.signal.aborted || run.closed(),
      );
    if (run.closed()) throw new Ended();
    if (failed.length) {
      const created = failed.filter((name) => creating.has(name) || !store.resource(run.stack, name)?.current);
      const updated = failed.filter((name) => !created.includes(name));
      return [created.length ? listed('create', created) : '', updated.length ? listed('update', updated) : ''].join(
        '',
      );
    }
    if (run.signal.aborted) return `${(run.signal.reason as Error).message} `;
    return this.finish(template, evaluator, target, imports);
  }

  /**
   * Returns the providers of the included resources; a missing provider fails the operation before anything is created.
   */
  private async providersOf(
    template: Template,
    included: readonly string[],
    failed: string[],
  ): Promise<Map<string, ResourceProvider>> {
    const { run } = this;
    const providers = new Map<string, ResourceProvider>();
    for (const name of included) {
      const { Type, Properties = {} } = template.Resources[name]!;
      const provider = await run.host.provider(Type);
      let problem: unknown;
      if (!provider) problem = ownFailure(`Resource type ${Type} is not supported by emu`);
      else {
        providers.set(name, provider);
        problem = knownProblem(provider, name, Properties);
      }
      if (problem === undefined) continue;
      failed.push(name);
      this.refuse(name, Type, problem, !provider);
    }
    return providers;
  }

  /** @param begun whether events show that the resource was started, as for types that AWS has and emu lacks */
  private refuse(name: string, type: string, problem: unknown, begun = false): void {
    const { store, events } = this.run.host;
    const existing = store.resource(this.run.stack, name);
    const record =
      existing ??
      store.putResource({
        stack: this.run.stack,
        logicalId: name,
        type,
        status: 'CREATE_FAILED',
        updatedAt: store.clock.now(),
        dependsOn: [],
        deletionPolicy: 'Delete',
        updateReplacePolicy: 'Delete',
        before: null,
      });
    const verb = existing?.current ? 'UPDATE' : 'CREATE';
    if (begun)
      events.resource(
        store.stack(this.run.stack)!,
        this.run.operation(),
        record,
        existing?.current?.physicalId ?? '',
        `${verb}_IN_PROGRESS`,
      );
    this.steps.fail(record, `${verb}_FAILED`, problem);
  }

  private async applyOne(
    name: string,
    template: Template,
    evaluator: Evaluator,
    provider: ResourceProvider,
    tags: readonly Tag[],
  ): Promise<boolean> {
    const { run } = this;
    const { store } = run.host;
    const resource = template.Resources[name]!;
    let desired: DesiredResource;
    try {
      const evaluated = (evaluator.evaluate(resource.Properties ?? {}) ?? {}) as JsonObject;
      this.checkUpdatePolicy(name, resource, evaluated);
      const target = run.operation().target!;
      const shown = shownValue(store, run.stack, evaluator, target, resource.Properties) as JsonObject | undefined;
      desired = {
        logicalId: name,
        resource,
        provider,
        properties: checkProperties(provider, name, evaluated),
        ...(shown && { shown }),
        tags,
        dependsOn: [...dependenciesOf(resource, template)],
        deletionPolicy: policyOf(evaluator, resource.DeletionPolicy),
        updateReplacePolicy: policyOf(evaluator, resource.UpdateReplacePolicy),
        metadata:
          resource.Metadata === undefined ? undefined : JSON.stringify(evaluator.evaluate(resource.Metadata) ?? {}),
      };
      this.checkPolicy(desired);
    } catch (error) {
      if (!(error instanceof AwsError) && !(error instanceof Error)) throw error;
      this.refuse(name, provider.typeName, error instanceof AwsError ? ownFailure(error.message) : error);
      return false;
    }
    const imported = run.operation().imports?.find(({ LogicalResourceId }) => LogicalResourceId === name);
    if (imported && store.resource(run.stack, name)?.current === undefined) {
      const { primaryIdentifier } = provider.facts;
      return this.steps.adopt(
        desired,
        primaryIdentifier.map((part) => imported.ResourceIdentifier[part] ?? '').join('|'),
      );
    }
    return this.steps.apply(desired);
  }

  /**
   * Rejects a new version of an alias that CodeDeploy would have to shift to. The policy does not apply to creations and
   * other changes.
   * @throws Error with the name of the policy
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
   */
  private checkUpdatePolicy(name: string, { UpdatePolicy }: TemplateResource, properties: JsonObject): void {
    const { run } = this;
    const previous = run.host.store.resource(run.stack, name)?.current?.properties;
    if (
      UpdatePolicy?.CodeDeployLambdaAliasUpdate &&
      previous &&
      previous.FunctionVersion !== properties.FunctionVersion
    )
      throw ownFailure(`The UpdatePolicy CodeDeployLambdaAliasUpdate is not supported by emu (resource ${name})`);
  }

  /**
   * Rejects changes that the stack policy denies.
   * @throws Error with AWS's message
   */
  private checkPolicy({ logicalId, provider, properties, tags }: DesiredResource): void {
    const { run } = this;
    const stack = run.host.store.stack(run.stack)!;
    const policy = run.operation().policyDuringUpdate ?? stack.policy;
    const current = run.host.store.resource(run.stack, logicalId)?.current;
    if (policy === undefined || !current || run.operation().kind !== 'update') return;
    const live = run.operation().live?.[logicalId];
    if (live?.status === 'DELETED') return;
    const before = liveProperties(provider, current, properties, live);
    const effect = effectOf(provider, before, withTags(provider, properties, tags));
    if (effect === 'none') return;
    const denied = deniedByPolicy(
      policy,
      effect === 'replace' ? 'Update:Replace' : 'Update:Modify',
      logicalId,
      provider.typeName,
    );
    if (denied) throw ownFailure(denied);
  }

  /** Rejects deletions that the stack policy denies. */
  private refuseDeletions(included: readonly string[], failed: string[]): void {
    const { store } = this.run.host;
    const { policyDuringUpdate, kind } = this.run.operation();
    const policy = policyDuringUpdate ?? store.stack(this.run.stack)!.policy;
    if (policy === undefined || kind !== 'update') return;
    for (const resource of store.resourcesIn(this.run.stack)) {
      const { logicalId, type, current } = resource;
      if (!current || included.includes(logicalId)) continue;
      const denied = deniedByPolicy(policy, 'Update:Delete', logicalId, type);
      if (denied === undefined) continue;
      failed.push(logicalId);
      this.steps.fail(resource, 'UPDATE_FAILED', ownFailure(denied));
    }
  }

  /**
   * Evaluates the outputs and stores the deployment in the stack.
   * @returns the reason of a failure
   */
  private finish(
    template: Template,
    evaluator: Evaluator,
    target: DeploymentRecord,
    imports: ReadonlySet<string>,
  ): string | undefined {
    const { store } = this.run.host;
    const before = store.stack(this.run.stack)!;
    let outputs: OutputRecord[];
    try {
      outputs = outputsOf(template, evaluator).map((output) =>
        usesHiddenAttribute(store, this.run.stack, template.Outputs[output.key]!.Value)
          ? { ...output, noEcho: true }
          : output,
      );
      this.checkExports(before.outputs as OutputRecord[], outputs);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return `${error.message}. `.replace('.. ', '. ');
    }
    const used = new Set(imports);
    // Resources finished before a restart have already imported their exports.
    for (const name of store.stack(this.run.stack)!.imports) if (store.exportOf(name)) used.add(name);
    store.updateStack(this.run.stack, (draft) => {
      delete draft.description;
      delete draft.rollbackConfiguration;
      Object.assign(draft, target, template.Description === undefined ? {} : { description: template.Description });
      draft.outputs = outputs;
      draft.imports = this.run.operation().kind === 'create' ? [...used] : [...imports];
    });
    return undefined;
  }

  /** @throws AwsError if another stack owns an export, or other stacks still import one */
  private checkExports(before: readonly OutputRecord[], after: readonly OutputRecord[]): void {
    const { store } = this.run.host;
    for (const { exportName } of after) {
      const other = exportName === undefined ? undefined : store.exportOf(exportName);
      if (other && other.stack.uuid !== this.run.stack)
        throw invalid(`Export with name ${exportName} is already exported by stack ${other.stack.name}`);
    }
    for (const { exportName, value } of before) {
      if (exportName === undefined) continue;
      const kept = after.find((output) => output.exportName === exportName);
      if (kept?.value === value) continue;
      const users = store.importersOf(exportName).filter((name) => name !== store.stack(this.run.stack)!.name);
      if (users.length)
        throw invalid(
          `Export ${exportName} cannot be ${kept ? 'updated' : 'deleted'} as it is in use by ${users.join(', ')}`,
        );
    }
  }

  /**
   * Reverts the operation's changes.
   * @returns resources that could not be reverted
   */
  async revert(): Promise<string[]> {
    const { run } = this;
    const { store } = run.host;
    const failed: string[] = [];
    const resources = store.resourcesIn(run.stack).filter(({ before }) => before);
    const byName = new Map(resources.map((resource) => [resource.logicalId, resource]));
    const { skip } = run.operation();
    await runGraph(
      [...byName.keys()],
      (name) => byName.get(name)!.dependsOn,
      run.pause,
      async (name) => {
        if (skip.includes(name)) return true;
        const resource = store.resource(run.stack, name)!;
        const provider = await run.host.provider(resource.before!.type);
        const succeeded = provider !== undefined && (await this.steps.revert(resource, provider));
        if (!succeeded) failed.push(name);
        return succeeded;
      },
      () => run.closed(),
    );
    if (run.closed()) throw new Ended();
    return failed;
  }
}

/** Returns problems in the properties before functions are evaluated: unknown or unsupported names. */
function knownProblem(provider: ResourceProvider, logicalId: string, properties: JsonObject): unknown {
  try {
    // Properties that are functions are checked after evaluation.
    const plain = Object.fromEntries(
      Object.entries(properties).filter(
        ([, value]) => !JSON.stringify(value).includes('"Fn::') && !JSON.stringify(value).includes('"Ref"'),
      ),
    );
    const required = new Set(Object.keys(properties));
    const facts = {
      ...provider.facts,
      properties: Object.fromEntries(
        Object.entries(provider.facts.properties).filter(([name]) => Object.hasOwn(plain, name) || !required.has(name)),
      ),
    };
    checkProperties({ ...provider, facts }, logicalId, plain);
    const extraneous = Object.keys(properties).filter(
      (name) => !Object.hasOwn(provider.facts.properties, name) && provider.facts.properties['*'] === undefined,
    );
    if (extraneous.length) checkProperties(provider, logicalId, properties);
  } catch (error) {
    return error;
  }
  return undefined;
}

/**
 * Evaluates the outputs of a deployment.
 * @throws AwsError with CloudFormation's message
 */
export function outputsOf(template: Template, evaluator: Evaluator): OutputRecord[] {
  return Object.entries(template.Outputs)
    .filter(([, output]) => evaluator.includes(output))
    .map(([key, output]) => {
      const value = evaluator.evaluate(output.Value);
      if (Array.isArray(value) || isObject(value) || value === undefined)
        throw invalid(`Template format error: The Value field of every Outputs member must evaluate to a String.`);
      const exportName = output.Export && evaluator.evaluate(output.Export.Name);
      return {
        key,
        value: textOf(value),
        ...(output.Description !== undefined && { description: output.Description }),
        ...(exportName !== undefined && { exportName: textOf(exportName) }),
      };
    });
}
