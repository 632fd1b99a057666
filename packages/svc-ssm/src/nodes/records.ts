import { defineCollection } from '@emu/core/service';

/** An activation for registering managed instances. Times are epoch milliseconds. */
export interface ActivationRecord {
  id: string;
  /** SHA-256 of the code, in hexadecimal digits: the code itself is returned only once. */
  codeHash: string;
  description?: string;
  defaultInstanceName?: string;
  role: string;
  limit: number;
  /** Number of instances registered with it. */
  registered: number;
  createdAt: number;
  expiresAt: number;
  tags: Record<string, string>;
}

/** A machine outside EC2, registered with an activation. */
export interface InstanceRecord {
  id: string;
  activationId: string;
  name?: string;
  role: string;
  platform: 'Windows' | 'Linux' | 'MacOS';
  platformName: string;
  platformVersion: string;
  agentVersion: string;
  ipAddress: string;
  computerName: string;
  /** Epoch milliseconds. */
  registeredAt: number;
  tags: Record<string, string>;
}

export const activationCollection = defineCollection<ActivationRecord>('activations', 'region');
export const instanceCollection = defineCollection<InstanceRecord>('managedInstances', 'region');
