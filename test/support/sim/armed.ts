/** Crashes that wait for their place to be passed. */
export class Armed<Point extends string> {
  #orders: { readonly point: Point; nth: number; times: number }[] = [];

  /** Fires at the nth passing of `point` (0 = the next), and at `times - 1` more right after. */
  add(point: Point, nth: number, times: number): void {
    this.#orders.push({ point, nth, times });
  }

  clear(): void {
    this.#orders = [];
  }

  /** Notes one passing; true when it is time to die. */
  fires(point: Point): boolean {
    const order = this.#orders.find((each) => each.point === point);
    if (!order) return false;
    if (order.nth > 0) {
      order.nth -= 1;
      return false;
    }
    order.times -= 1;
    if (order.times <= 0) this.#orders = this.#orders.filter((each) => each !== order);
    return true;
  }
}
