import { type Engine, findEngine } from '../../src/docker/engine.ts';

/** Images created by `tools/container-host.sh`. */
export const BUSYBOX = 'localhost/emu-test/busybox:latest';

/** Engine of this machine with the images for tests, or the reason why it is unavailable. */
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
