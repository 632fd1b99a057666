import {
  type Collection,
  type DeepReadonly,
  type ManagedNode,
  managedNodes,
  type NodeScript,
  type NodeScriptResult,
  type NodeShell,
  type NodeShellRequest,
  type StateScope,
} from '@emu/core/service';
import type { ActivationRecord, InstanceRecord } from './records.ts';

/** A managed node: an EC2 instance, or a machine registered with an activation. */
export interface Node extends ManagedNode {
  readonly kind: 'EC2Instance' | 'ManagedInstance';
  readonly activationId?: string | undefined;
}

/** Managed nodes of an account and region. */
export class Nodes {
  constructor(
    private readonly scope: StateScope,
    readonly instances: Collection<InstanceRecord>,
    readonly activations: Collection<ActivationRecord>,
  ) {}

  /** Returns all nodes, ordered by id. */
  async list(): Promise<Node[]> {
    const others = (await (await this.scope.service.capability(managedNodes))?.list(this.scope)) ?? [];
    const nodes = [
      ...[...this.instances.values()].map((record) => this.registered(record)),
      ...[...others].map((node): Node => ({ ...node, kind: 'EC2Instance' })),
    ];
    return nodes.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async get(id: string): Promise<Node | undefined> {
    const own = this.instances.get(id);
    return own ? this.registered(own) : (await this.list()).find((node) => node.id === id);
  }

  /**
   * Runs a script on an online node.
   * @throws Error if it cannot start
   */
  async run(id: string, script: NodeScript): Promise<NodeScriptResult> {
    const runner = await this.scope.service.capability(managedNodes);
    if (!runner) throw new Error(`the node ${id} is gone`);
    return runner.run(this.scope, id, script);
  }

  /**
   * Opens a shell on an online node.
   * @throws Error if it cannot start or the node does not support shells
   */
  async open(id: string, request: NodeShellRequest): Promise<NodeShell> {
    const runner = await this.scope.service.capability(managedNodes);
    if (!runner?.open) throw new Error(`the node ${id} offers no shell`);
    return runner.open(this.scope, id, request);
  }

  /** Returns the node of a registered machine, which has no agent. */
  private registered(record: DeepReadonly<InstanceRecord>): Node {
    return { ...record, kind: 'ManagedInstance', online: false };
  }
}
