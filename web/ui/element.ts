/** Makes an element of the page with properties and children, where no React is loaded. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string)[]
) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}
