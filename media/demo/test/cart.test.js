import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summary, total } from '../src/cart.js';

const CART = [
  { name: 'chisel', price: 1250, quantity: 2 },
  { name: 'mallet', price: 900, quantity: 1 },
];

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0);
});

test('the total counts every piece', () => {
  assert.equal(total(CART), 3400);
});

test('the summary names pieces and price', () => {
  assert.equal(summary(CART), '3 items, 34.00 in all');
});
