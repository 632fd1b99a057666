import type { Resumptions } from '../resumption/resumptions.ts';
import type { ServiceHost } from './loaded-service.ts';
import type { OwnState } from './own-state.ts';
import type { Quotas } from './quotas.ts';
import type { ServiceRegistry } from './service-registry.ts';
import type { ServiceStorage } from './service-storage.ts';
import type { SessionSweep } from './session-sweep.ts';
import type { Turnover } from './turnover.ts';

/** The parts of an emulator that load and run its services. */
export interface Parts extends ServiceHost {
  readonly storage: ServiceStorage;
  readonly registry: ServiceRegistry;
  readonly quotas: Quotas;
  /** The emulator's own persisted state. */
  readonly ownState: OwnState;
  /** Replaces records for checkpoints and state files while requests wait. */
  readonly turnover: Turnover;
  readonly sessionSweep: SessionSweep;
  readonly resumptions: Resumptions;
}
