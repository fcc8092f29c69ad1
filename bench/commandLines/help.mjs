/**
 * @typedef {object} Flag
 * @property {string} name with its dashes
 * @property {string | undefined} value what stands for its value, "LIST"; undefined for a switch
 * @property {string[]} examples values that its help shows
 *
 * @typedef {object} Command
 * @property {string} name
 * @property {boolean} takesFiles
 * @property {Flag[]} flags
 */

/**
 * The names of the commands in what `foretrain --help` prints.
 *
 * @param {string} help
 */
export function commandNames(help) {
  return paragraph(help, 'Commands')
    .map(line => line.split(' ')[0])
    .filter(name => name !== 'help')
}

/**
 * What the help of a command says that it takes.
 *
 * @param {string} help
 * @returns {Command}
 */
export function parseHelp(help) {
  const [, name, files] = /^Usage: foretrain (\S+) \[options\]( <\S+>)?/.exec(help) ?? []
  if (name === undefined) throw new Error(`no help of a command: ${help.slice(0, 80)}`)
  const flags = paragraph(help, 'Options').flatMap(line => {
    const [, flag, value, text] = /^(?:-\w, )?(--[a-z-]+)(?: <([A-Z]+)>)? +(.*)$/.exec(line) ?? []
    return flag === undefined ? [] : [{ name: flag, value, examples: value === undefined ? [] : examplesIn(text) }]
  })
  return { name, takesFiles: files !== undefined, flags }
}

/**
 * The entries below a heading, each on one line: what is indented further goes on with the entry before it.
 *
 * @param {string} help @param {string} heading
 */
function paragraph(help, heading) {
  const [, text = ''] = new RegExp(`^${heading}:\\n((?: .*\\n)*)`, 'm').exec(help) ?? []
  return text
    .replace(/\n {3,}/g, ' ')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

/**
 * "sizes: 8, 1-16, 1,2,4 (default: 1)" has 8 and 1-16 and 1,2,4: what follows the last colon and a space, without prose.
 *
 * @param {string} text
 */
function examplesIn(text) {
  const shown =
    text
      .split(' (')[0]
      .split(/: |^(?=table)/)
      .at(-1) ?? ''
  return shown.split(/, | or |; /).filter(one => /^\S+$/.test(one) && one !== '')
}
