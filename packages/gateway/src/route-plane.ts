import type { Kernel } from '@emu/core';
import type { HeaderValues } from '@emu/wire';
import type { ControlPlane } from './control/control-plane.ts';
import type { InjectedFaults } from './injected-faults.ts';
import type { MetadataService } from './metadata.ts';
import type { ResolvedGatewayOptions } from './options.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';

/** What answers by path alone, before any service is asked. */
export type Plane = 'control' | 'metadata';

/** The control routes and the metadata service, each loaded at its first request. */
export class RoutePlane {
  private control: Promise<ControlPlane> | undefined;
  private metadata: Promise<MetadataService> | undefined;

  constructor(
    private readonly kernel: Kernel,
    private readonly options: ResolvedGatewayOptions,
    private readonly faults: InjectedFaults,
  ) {}

  /** Which plane a path belongs to. Signed requests are never for the metadata service: a bucket may be named `latest`. */
  claims(path: string, query: string, headers: HeaderValues): Plane | undefined {
    // Two characters tell almost every request apart from these.
    const second = path.charCodeAt(1);
    if (second === 95) {
      if (path.startsWith('/_emulator/') || path === '/_emulator' || path === '/_reset') return 'control';
    } else if (second === 108 && (path.startsWith('/latest/') || path === '/latest')) {
      if (headers.authorization === undefined && !query.includes('X-Amz-')) return 'metadata';
    }
    return undefined;
  }

  /** Answers a request of a plane. */
  async handle(plane: Plane, request: GatewayRequest, path: string, query: string): Promise<GatewayResponse> {
    if (plane === 'control') return (await this.controlPlane()).handle(request, path, query);
    return (await this.metadataService()).handle(request, path);
  }

  private controlPlane(): Promise<ControlPlane> {
    this.control ??= import('./control/control-plane.ts').then(
      ({ ControlPlane }) => new ControlPlane(this.kernel, this.options, this.faults),
    );
    return this.control;
  }

  private metadataService(): Promise<MetadataService> {
    this.metadata ??= import('./metadata.ts').then(
      ({ MetadataService }) => new MetadataService(this.kernel, this.options),
    );
    return this.metadata;
  }
}
