/** A person's name in at most two letters: `Thandi Mokoena` is `TM`. */
export const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()
