import {
  definePlugin,
  type ManagedNode,
  managedNodes,
  type NodeScript,
  type NodeScriptResult,
  type NodeShell,
  type NodeShellRequest,
  provide,
  type ServiceManifest,
} from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';

const model: ServiceModel = {
  service: 'fleet',
  source: {},
  metadata: {
    apiVersion: '2020-01-01',
    endpointPrefix: 'fleet',
    serviceId: 'Fleet',
    protocols: ['awsJson1_1'],
    targetPrefix: 'Fleet',
  },
  operations: {},
  shapes: {},
} as unknown as ServiceModel;

/** Nodes of a test with scripted behaviour. */
export interface Fleet {
  readonly manifest: ServiceManifest;
  readonly nodes: ManagedNode[];
  /** Scripts that were run. */
  readonly scripts: { id: string; lines: readonly string[]; workingDirectory: string | undefined }[];
  /** Opens the shells of sessions. */
  open(id: string, request: NodeShellRequest): NodeShell;
  /** Returns the results of scripts. */
  answer(id: string, script: NodeScript): Promise<NodeScriptResult> | NodeScriptResult;
}

export const node = (id: string, more: Partial<ManagedNode> = {}): ManagedNode => ({
  id,
  platform: 'Linux',
  platformName: 'Amazon Linux',
  platformVersion: '2023',
  agentVersion: '3.3.1611.0',
  ipAddress: '10.0.0.1',
  computerName: `${id}.internal`,
  tags: {},
  registeredAt: 0,
  online: true,
  ...more,
});

/** Creates a service with managed nodes, as EC2 would be. */
export function makeFleet(...nodes: ManagedNode[]): Fleet {
  const fleet: Fleet = {
    nodes,
    scripts: [],
    answer: (_id, { lines }) => ({ code: 0, stdout: `${lines.join('; ')}\n`, stderr: '' }),
    open: () => {
      throw new Error('no shell here');
    },
    manifest: {
      name: 'fleet',
      signingNames: ['fleet'],
      hostNames: ['fleet'],
      provides: [managedNodes],
      load: async () =>
        definePlugin({
          name: 'fleet',
          model,
          stateScope: 'region',
          collections: [],
          createState: () => ({}),
          operations: [],
          provides: [
            provide(managedNodes, () => ({
              list: () => nodes,
              open: async (_place, id, request) => fleet.open(id, request),
              async run(_place, id, script) {
                fleet.scripts.push({ id, lines: script.lines, workingDirectory: script.workingDirectory });
                return fleet.answer(id, script);
              },
            })),
          ],
        }),
    },
  };
  return fleet;
}
