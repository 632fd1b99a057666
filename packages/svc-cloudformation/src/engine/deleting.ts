import { copyOf } from '@emu/core/service';
import type { Run } from '../host.ts';
import type { PhysicalRecord } from '../stacks/records.ts';
import type { Resource } from '../stacks/registry.ts';
import { runGraph } from './graph.ts';
import { Ended, ResourceSteps } from './steps.ts';

/** Deletes resources of a whole stack, or those an update has made superfluous. */
export class Deleting {
  private readonly steps: ResourceSteps;

  constructor(private readonly run: Run) {
    this.steps = new ResourceSteps(run);
  }

  /**
   * Deletes all resources of the stack.
   * @param rollback whether a failed creation is rolled back
   * @returns resources that could not be deleted
   */
  async deleteAll(rollback: boolean): Promise<string[]> {
    const { operation, host, stack } = this.run;
    const { retainExceptOnCreate, force, skip } = operation();
    const { deletionMode } = host.store.stack(stack)!;
    const forced = force || deletionMode === 'FORCE_DELETE_STACK';
    const resources = host.store.resourcesIn(stack).filter(({ current }) => current);
    const keeps = (resource: Resource): boolean => {
      if (skip.includes(resource.logicalId)) return true;
      if (rollback && (retainExceptOnCreate || resource.deletionPolicy === 'RetainExceptOnCreate')) return false;
      return /^Retain/.test(resource.deletionPolicy);
    };
    const failed = await this.deleteInOrder(resources, keeps);
    if (!forced) return failed;
    // A forced deletion retains resources that cannot be deleted.
    for (const logicalId of failed) {
      const resource = host.store.resource(stack, logicalId);
      if (resource?.current) await this.steps.delete(resource, copyOf(resource.current) as PhysicalRecord, true);
    }
    return [];
  }

  private async deleteInOrder(
    resources: readonly Resource[],
    keeps: (resource: Resource) => boolean,
  ): Promise<string[]> {
    const { run } = this;
    const byName = new Map(resources.map((resource) => [resource.logicalId, resource]));
    const dependents = new Map<string, string[]>();
    for (const { logicalId, dependsOn } of resources)
      for (const other of dependsOn) dependents.set(other, [...(dependents.get(other) ?? []), logicalId]);
    const failed: string[] = [];
    await runGraph(
      [...byName.keys()].reverse(),
      (name) => dependents.get(name) ?? [],
      run.pause,
      async (name) => {
        const resource = byName.get(name)!;
        const done = await this.steps.delete(resource, copyOf(resource.current!) as PhysicalRecord, keeps(resource));
        if (!done) failed.push(name);
        return done;
      },
      () => run.closed(),
    );
    if (run.closed()) throw new Ended();
    return failed;
  }

  /**
   * Deletes resources that an update removed or replaced, or after its rollback those that it created.
   * @returns whether some could not be deleted
   */
  async cleanUp(succeeded: boolean): Promise<boolean> {
    const { run } = this;
    const { store } = run.host;
    const { id, leftovers, imports = [], retainExceptOnCreate } = run.operation();
    const imported = new Set(imports.map(({ LogicalResourceId }) => LogicalResourceId));
    let failed = false;
    for (const { logicalId, physical, retain } of copyOf(leftovers)) {
      const resource = store.resource(run.stack, logicalId)!;
      if (!(await this.steps.delete(resource, physical as PhysicalRecord, retain, true))) failed = true;
      store.updateOperation(run.stack, (draft) => {
        draft.leftovers = draft.leftovers.filter(
          (leftover) => leftover.physical.identifier !== physical.identifier || leftover.logicalId !== logicalId,
        );
      });
    }
    const all = store.resourcesIn(run.stack);
    const gone = all.filter((resource) => (succeeded ? resource.done !== id : resource.before === null));
    const problems = await this.deleteInOrder(
      gone.filter(({ current }) => current),
      ({ logicalId, deletionPolicy }) =>
        succeeded
          ? /^Retain/.test(deletionPolicy)
          : imported.has(logicalId) || (deletionPolicy === 'Retain' && !retainExceptOnCreate),
    );
    if (problems.length) failed = true;
    for (const { logicalId } of gone)
      if (!store.resource(run.stack, logicalId)?.current) store.deleteResource(run.stack, logicalId);
    return failed;
  }

  /** Releases imported resources from the stack. */
  discardImports(): void {
    const { store } = this.run.host;
    for (const { logicalId, before } of store.resourcesIn(this.run.stack))
      if (before === null) store.deleteResource(this.run.stack, logicalId);
  }
}
