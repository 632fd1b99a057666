import { Chain } from './chain.ts';
import type { DeliveryOrder } from './delivery-order.ts';
import { IndexedHeap } from './indexed-heap.ts';
import type { QueuedMessage } from './queued-message.ts';

/**
 * Order of standard queues: oldest visible messages first. New messages are appended to a list; returned and delayed
 * ones wait in a heap, so that costs are independent of the queue's length.
 */
export class StandardOrder implements DeliveryOrder {
  private readonly fresh = new Chain<QueuedMessage>();
  private readonly returned = new IndexedHeap<'heapIndex', QueuedMessage>('heapIndex');

  get available(): boolean {
    return this.fresh.first !== undefined || this.returned.size > 0;
  }

  enter(message: QueuedMessage): void {
    if (message.state === 'ready') this.giveBack(message);
  }

  makeReady(message: QueuedMessage): void {
    this.giveBack(message);
  }

  take(limit: number): QueuedMessage[] {
    const taken: QueuedMessage[] = [];
    while (taken.length < limit) {
      const { first } = this.fresh;
      const message = first && first.order < this.returned.firstKey ? first : this.returned.first;
      if (!message) break;
      this.leave(message);
      taken.push(message);
    }
    return taken;
  }

  giveBack(message: QueuedMessage): void {
    const { last } = this.fresh;
    if (!last || last.order < message.order) this.fresh.append(message);
    else this.returned.push(message, message.order);
  }

  leave(message: QueuedMessage): void {
    if (this.fresh.has(message)) this.fresh.remove(message);
    else if (message.state === 'ready') this.returned.remove(message);
  }
}
