import { type Capability, defineCapability } from '../base/capability.ts';
import type { Place } from '../resources/resource-type.ts';

/** A machine that Systems Manager manages, as its service describes it. */
export interface ManagedNode {
  /** E.g. `i-0123456789abcdef0`. */
  readonly id: string;
  /** Value of its tag `Name`. */
  readonly name?: string | undefined;
  readonly platform: 'Windows' | 'Linux' | 'MacOS';
  /** E.g. `Amazon Linux`. */
  readonly platformName: string;
  readonly platformVersion: string;
  readonly agentVersion: string;
  readonly ipAddress: string;
  readonly computerName: string;
  /** Name of its role, if any. */
  readonly role?: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  readonly registeredAt: number;
  /** Whether its agent responds. */
  readonly online: boolean;
}

/** A script for a node. */
export interface NodeScript {
  readonly shell: 'sh' | 'powershell';
  readonly lines: readonly string[];
  /** Working directory; by default the agent's own. */
  readonly workingDirectory?: string | undefined;
  /** Aborted at the timeout, or when the command is cancelled: the node then stops it. */
  readonly signal: AbortSignal;
}

/** Result of a script. */
export interface NodeScriptResult {
  /** Exit status. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a shell. */
export interface NodeShellRequest {
  /** Lines to run instead of a login shell. */
  readonly commands?: readonly string[] | undefined;
  /** Whether it is interactive: it then has a terminal, and its output includes errors. */
  readonly interactive: boolean;
  /** User that it runs as; by default the agent's own. */
  readonly user?: string | undefined;
  /** Receives its output. */
  output(bytes: Uint8Array): void;
  /** Receives its standard error, if it is not interactive. */
  error(bytes: Uint8Array): void;
}

/** A shell that runs on a node. */
export interface NodeShell {
  /** Resolves with its exit status when it has ended. */
  readonly ended: Promise<number>;
  /** Writes to its input. */
  write(bytes: Uint8Array): void;
  /** Sets the size of the terminal, in characters. */
  resize(columns: number, rows: number): void;
  /** Ends it. */
  close(): void;
}

/** Machines that run an agent of Systems Manager. */
export interface ManagedNodes {
  /** Returns the nodes of an account and region. */
  list(place: Place): Iterable<ManagedNode> | Promise<Iterable<ManagedNode>>;
  /** Runs a script on a node that is online. @throws Error if it cannot be started */
  run(place: Place, id: string, script: NodeScript): Promise<NodeScriptResult>;
  /**
   * Opens a shell on a node that is online; undefined if nodes have no shell.
   * @throws Error if it cannot be started
   */
  open?(place: Place, id: string, request: NodeShellRequest): Promise<NodeShell>;
}

/** Managed nodes. */
export const managedNodes: Capability<ManagedNodes> = defineCapability('managed nodes');
