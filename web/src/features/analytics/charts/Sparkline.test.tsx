import { render } from '@testing-library/react';
import { Sparkline } from './Sparkline';

/** The line over days without a value, if there are some; the line; and the dot of the newest value. */
function pathsOf(values: (number | null)[], fromZero = true): (string | null)[] {
  const { container } = render(<Sparkline values={values} fromZero={fromZero} />);
  return [...container.querySelectorAll('path')].map((path) => path.getAttribute('d'));
}

it('draws counts from zero', () => {
  expect(pathsOf([0, 5, 10])).toEqual(['M2,22L48,12L94,2', 'M94,2h0']);
});

it('draws rates between their lowest and highest value', () => {
  expect(pathsOf([90, 95, 100], false)).toEqual(['M2,22L48,12L94,2', 'M94,2h0']);
});

it('draws a faint line over days without a value', () => {
  expect(pathsOf([10, 10, null, 5, null, 10])).toEqual(['M20.4,2L57.2,12M57.2,12L94,2', 'M2,2L20.4,2M57.2,12M94,2', 'M94,2h0']);
  const { container } = render(<Sparkline values={[1, null, 2]} fromZero />);
  expect([...container.querySelectorAll('path')].map((path) => path.getAttribute('stroke-opacity'))).toEqual(['0.4', null, null]);
});

it('starts and ends the line with the days that have a value', () => {
  expect(pathsOf([null, 10, 5, null, null])).toEqual(['M25,2L48,12', 'M48,12h0']);
});

it('draws one day as a dot', () => {
  expect(pathsOf([3])).toEqual(['M2,2', 'M2,2h0']);
});

it('draws a line at the bottom if every day is zero, and in the middle if a rate does not change', () => {
  expect(pathsOf([0, 0])).toEqual(['M2,22L94,22', 'M94,22h0']);
  expect(pathsOf([0, 0], false)).toEqual(['M2,22L94,22', 'M94,22h0']);
  expect(pathsOf([100, 100], false)).toEqual(['M2,12L94,12', 'M94,12h0']);
});

it('is hidden from screen readers', () => {
  const { container } = render(<Sparkline values={[1, 2]} fromZero />);
  expect(container.querySelector('svg')).toHaveAttribute('aria-hidden', 'true');
});
