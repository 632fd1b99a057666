import { copyOf } from '@emu/core/service';
import type { CreateStackRefactorInput, Tag } from '@emu/service-types/cloudformation';
import { AwsError } from '@emu/wire';
import type { CloudformationContext } from '../context.ts';
import { outputsOf, policyOf } from '../engine/applying.ts';
import { attributeOf, parameterValues } from '../engine/evaluation.ts';
import { checkedProperties } from '../engine/properties.ts';
import { invalid } from '../errors.ts';
import { deploymentOf } from '../stacks/deployment.ts';
import type { DeploymentRecord, OutputRecord } from '../stacks/records.ts';
import type { Resource, Stack } from '../stacks/registry.ts';
import { Evaluator } from '../templates/evaluate.ts';
import { dependenciesOf } from '../templates/references.ts';
import type { Template } from '../templates/template.ts';
import { type JsonObject, sameJson } from '../templates/values.ts';
import type { MoveRecord, RefactoredStackRecord } from './records.ts';

/** A stack of a refactor with its new template. */
export interface Definition {
  readonly uuid: string;
  readonly name: string;
  /** Undefined for a stack to be created. */
  readonly stack: Stack | undefined;
  readonly template: Template;
  readonly deployment: DeploymentRecord;
}

/** Reason why stacks cannot be refactored, as in the refactor's status. */
export class UnsupportedRefactor extends Error {
  override readonly name = 'Unfit';
}

/** A resource at its destination. */
interface Placed {
  readonly definition: Definition;
  readonly logicalId: string;
  readonly resource: Resource;
  readonly detection: MoveRecord['detection'];
  readonly moved: boolean;
}

const placeOf = (stack: string, logicalId: string): string => `${stack}/${logicalId}`;

/**
 * Plans the moves of resources between stacks.
 * @throws UnsupportedRefactor if the templates require other changes than moves
 */
export class RefactorPlan {
  private readonly placed = new Map<string, Placed>();
  private readonly evaluators = new Map<string, Evaluator>();
  private readonly imports = new Map<string, Set<string>>();

  constructor(
    private readonly definitions: readonly Definition[],
    private readonly mappings: NonNullable<CreateStackRefactorInput['ResourceMappings']>,
    private readonly ctx: CloudformationContext,
  ) {}

  /** @returns the stacks and the resources to move */
  async plan(): Promise<{ stacks: RefactoredStackRecord[]; moves: MoveRecord[] }> {
    for (const definition of this.definitions) this.evaluators.set(definition.uuid, this.evaluatorOf(definition));
    this.place();
    const moves: MoveRecord[] = [];
    for (const placed of this.placed.values()) {
      await this.checkUnchanged(placed);
      if (placed.moved) moves.push(this.moveOf(placed));
    }
    if (moves.length === 0) throw new UnsupportedRefactor('The stack refactor does not move any resources.');
    const stacks = this.definitions.map((definition) => this.stackOf(definition));
    this.checkExports(stacks);
    return { stacks, moves };
  }

  private evaluatorOf({ uuid, name, template, deployment }: Definition): Evaluator {
    const { state, endpoint } = this.ctx;
    const place = { stackId: state.arn({ name, uuid }), stackName: name };
    const found = (logicalId: string): Resource => {
      const resource = this.placed.get(placeOf(uuid, logicalId))?.resource;
      if (!resource)
        throw invalid(`Unresolved resource dependencies [${logicalId}] in the Resources block of the template`);
      return resource;
    };
    return new Evaluator(template, {
      ref: (logicalId) => found(logicalId).current!.physicalId,
      attribute: (logicalId, attribute) => attributeOf(found(logicalId), attribute),
      parameters: parameterValues(template, deployment, place, state),
      importValue: (exported) => {
        const known = this.imports.get(uuid) ?? new Set();
        this.imports.set(uuid, known.add(exported));
        return this.exported(exported);
      },
      endpoints: state.localEndpoints(endpoint),
      zones: (region) => ['a', 'b', 'c'].map((letter) => `${region || state.region}${letter}`),
    });
  }

  /** Returns the future value of an export. */
  private exported(name: string): string {
    for (const definition of this.definitions) {
      const output = this.outputs(definition).find(({ exportName }) => exportName === name);
      if (output) return output.value;
    }
    const found = this.ctx.state.exportOf(name);
    if (!found || this.definitions.some(({ uuid }) => uuid === found.stack.uuid))
      throw invalid(`No export named ${name} found`);
    return found.value;
  }

  private outputs({ uuid, template }: Definition): OutputRecord[] {
    return outputsOf(template, this.evaluators.get(uuid)!);
  }

  private included({ uuid, template }: Definition): string[] {
    const evaluator = this.evaluators.get(uuid)!;
    return Object.keys(template.Resources).filter((name) => evaluator.includes(template.Resources[name]!));
  }

  /** Finds the existing resource of each resource in the templates. */
  private place(): void {
    const { state } = this.ctx;
    const gone = new Map<string, Resource>();
    for (const { stack } of this.definitions)
      for (const resource of stack ? state.resourcesIn(stack.uuid) : [])
        if (resource.current) gone.set(placeOf(stack!.uuid, resource.logicalId), resource);
    const open: { definition: Definition; logicalId: string }[] = [];
    const mapped = this.mappedPlaces();
    for (const definition of this.definitions)
      for (const logicalId of this.included(definition)) {
        const own = placeOf(definition.uuid, logicalId);
        const source = mapped.get(own) ?? (mapped.has(own) ? undefined : own);
        const resource = source === undefined ? undefined : gone.get(source);
        const taken = source === own && [...mapped.values()].includes(own);
        if (resource && !taken && resource.type === definition.template.Resources[logicalId]!.Type) {
          gone.delete(source!);
          const moved = source !== own;
          this.placed.set(own, { definition, logicalId, resource, detection: moved ? 'MANUAL' : 'AUTO', moved });
        } else if (mapped.has(own))
          throw new UnsupportedRefactor(`The resource mapping to ${logicalId} of ${definition.name} has no source.`);
        else open.push({ definition, logicalId });
      }
    for (const { definition, logicalId } of open) {
      const type = definition.template.Resources[logicalId]!.Type;
      const same = [...gone].filter(([, resource]) => resource.type === type);
      const named = same.filter(([, resource]) => resource.logicalId === logicalId);
      const candidates = named.length ? named : same;
      if (candidates.length === 0)
        throw new UnsupportedRefactor(
          `Stack refactoring does not create resources: ${logicalId} of ${definition.name} is new.`,
        );
      if (candidates.length > 1)
        throw new UnsupportedRefactor(
          `Resource mapping is ambiguous for ${logicalId} of ${definition.name}. Provide ResourceMappings for it.`,
        );
      const [key, resource] = candidates[0]!;
      gone.delete(key);
      this.placed.set(placeOf(definition.uuid, logicalId), {
        definition,
        logicalId,
        resource,
        detection: 'AUTO',
        moved: true,
      });
    }
    if (gone.size) {
      const names = [...gone.values()].map(({ logicalId }) => logicalId);
      throw new UnsupportedRefactor(
        `Stack refactoring does not delete resources: [${names.join(', ')}] are in no template.`,
      );
    }
  }

  /** Returns the source of each moved resource by its destination, from the request. */
  private mappedPlaces(): Map<string, string> {
    const uuidOf = (name: string): string => {
      const found = this.definitions.find(
        ({ name: own, uuid }) => own === name || this.ctx.state.arn({ name: own, uuid }) === name,
      );
      if (!found) throw invalid(`Stack [${name}] of the resource mappings is not part of the stack refactor.`);
      return found.uuid;
    };
    return new Map(
      this.mappings.map(({ Source, Destination }) => [
        placeOf(uuidOf(Destination.StackName), Destination.LogicalResourceId),
        placeOf(uuidOf(Source.StackName), Source.LogicalResourceId),
      ]),
    );
  }

  private async checkUnchanged({ definition, logicalId, resource }: Placed): Promise<void> {
    const { Properties = {} } = definition.template.Resources[logicalId]!;
    const provider = await this.ctx.state.provider(resource.type);
    const evaluated = (this.evaluators.get(definition.uuid)!.evaluate(Properties) ?? {}) as JsonObject;
    const wanted = provider ? checkedProperties(provider.facts, evaluated) : evaluated;
    if (!sameJson(wanted, resource.current!.properties))
      throw new UnsupportedRefactor(
        `Stack refactoring does not change resources: the properties of ${logicalId} of ${definition.name} differ.`,
      );
  }

  private moveOf({ definition, logicalId, resource, detection }: Placed): MoveRecord {
    const evaluator = this.evaluators.get(definition.uuid)!;
    const wanted = definition.template.Resources[logicalId]!;
    return {
      from: { stack: resource.stack, logicalId: resource.logicalId },
      to: { stack: definition.uuid, logicalId },
      detection,
      dependsOn: [...dependenciesOf(wanted, definition.template)],
      deletionPolicy: policyOf(evaluator, wanted.DeletionPolicy),
      updateReplacePolicy: policyOf(evaluator, wanted.UpdateReplacePolicy),
      ...(wanted.Metadata !== undefined && { metadata: JSON.stringify(evaluator.evaluate(wanted.Metadata) ?? {}) }),
      tags: copyOf(definition.deployment.tags) as Tag[],
    };
  }

  private stackOf(definition: Definition): RefactoredStackRecord {
    const { uuid, name, stack, template, deployment } = definition;
    const { description: _, ...rest } = deployment;
    return {
      uuid,
      name,
      isNew: stack === undefined,
      ...(stack && { templateBefore: stack.templateId }),
      deployment: { ...rest, ...(template.Description !== undefined && { description: template.Description }) },
      outputs: this.outputs(definition),
      imports: [...(this.imports.get(uuid) ?? [])],
    };
  }

  /** Rejects the removal or change of exports that other stacks import. */
  private checkExports(stacks: readonly RefactoredStackRecord[]): void {
    const { state } = this.ctx;
    const names = new Set(stacks.map(({ name }) => name));
    const after = new Map(stacks.flatMap(({ outputs }) => outputs.map(({ exportName, value }) => [exportName, value])));
    for (const { stack } of this.definitions)
      for (const { exportName, value } of stack?.outputs ?? []) {
        if (exportName === undefined || after.get(exportName) === value) continue;
        const users = state.importersOf(exportName).filter((user) => !names.has(user));
        if (users.length)
          throw new UnsupportedRefactor(
            `Export ${exportName} cannot be changed as it is in use by ${users.join(', ')}`,
          );
      }
  }
}

/** Returns the members of a stack that a new template does not change. */
export const deploymentWith = (stack: Stack | undefined, templateId: string): DeploymentRecord =>
  stack
    ? { ...deploymentOf(stack), templateId }
    : { templateId, parameters: [], tags: [], capabilities: [], notificationArns: [] };

/**
 * Returns the status reason of a failed refactor.
 * @throws any other error
 */
export function reasonOf(error: unknown): string {
  if (error instanceof UnsupportedRefactor || error instanceof AwsError) return error.message;
  throw error;
}
