import type { EmulatorSettings } from '../config/settings.ts';
import type { StoredCredentials } from '../identity/stored-credentials.ts';
import type { LoadedService } from '../kernel/loaded-service.ts';
import type { Logger } from '../kernel/log.ts';
import type { OwnState } from '../kernel/own-state.ts';
import type { Turnover } from '../kernel/turnover.ts';
import type { BodyStore } from '../persistence/persistence.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';
import type { Quotas } from '../quotas/quotas.ts';
import type { EmulatorClock } from '../time/clock.ts';

/** What saving and loading state needs of the emulator. */
export interface StateHost {
  readonly clock: EmulatorClock;
  readonly credentials: StoredCredentials;
  readonly log: Logger;
  readonly manifests: readonly ServiceManifest[];
  /** What the emulator itself keeps. */
  readonly ownState: OwnState;
  readonly quotas: Quotas;
  readonly settings: EmulatorSettings;
  readonly version: string;
  bodiesOf(service: string): BodyStore;
  loadedServices(): readonly LoadedService[];
  readonly turnover: Turnover;
  service(name: string): Promise<LoadedService>;
  /** Called when the time may have been set back. */
  sweepSessions(): void;
  committed(): Promise<void>;
}
