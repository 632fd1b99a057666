import { type Engine, findEngine } from '../../src/docker/engine.ts';

/** Images that `tools/container-host.sh` makes. */
export const BUSYBOX = 'localhost/emu-test/busybox:latest';

/** The engine of this machine with the images that tests need, or why there is none. */
export async function testEngine(): Promise<
  { engine: Engine; reason?: undefined } | { engine?: undefined; reason: string }
> {
  try {
    const engine = await findEngine(undefined, undefined);
    await engine.docker.getImage(BUSYBOX).inspect();
    return { engine };
  } catch (error) {
    return { reason: `${(error as Error).message.split('\n')[0]} (tools/container-host.sh makes one)` };
  }
}
