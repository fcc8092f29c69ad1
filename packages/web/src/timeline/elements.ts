/** An element with attributes and children. Children that are strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: Array<Node | string>
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

export function button(label: string, title: string, onPress: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', title, 'aria-label': title }, label)
  made.addEventListener('click', onPress)
  return made
}
