// A table lies as loosely as its window lets it. While a part of it would have to be scrolled for, it lies closer, step by
// step; what each step takes away stands in the styles, as [data-fit~="1"] and so on.

const STEPS = 6;
const fits = (part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1;

export function fit(felt) {
  const parts = [...felt.querySelectorAll(".upper, .dock")];
  felt.dataset.fit = "";
  for (let step = 1; step <= STEPS && !parts.every(fits); step += 1) felt.dataset.fit += ` ${step}`;
}

// Below this width all but what one needs for a move lies in a drawer.
const phone = matchMedia("(max-width: 44rem)");
export const narrow = () => phone.matches;
