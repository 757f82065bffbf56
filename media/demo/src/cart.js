/** The price of everything in the cart, in cents. */
export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

/** What the cart says above the button. */
export function summary(items) {
  const pieces = items.reduce((sum, item) => sum + item.quantity, 0);
  return `${pieces} items, ${(total(items) / 100).toFixed(2)} in all`;
}
