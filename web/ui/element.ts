/** Creates an element with properties and children, for code without React. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string)[]
) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}
