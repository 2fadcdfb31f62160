/** What the phone says, in English and Spanish; the clause itself stays in the words of the law. */

const WORDS = {
  en: {
    title: "Inspection", list: "Checklist", queue: "On this phone", settings: "Settings", back: "Back",
    again: "Not met: look again", overdue: "Overdue", now: "Due within the hour", later: "Later", none: "Whenever it happens",
    before: "Before the event", "gate-open": "Gates open", live: "During the event", night: "At night",
    after: "Afterwards", due: "due {0}", seen: "looked at {0}", never: "not looked at on this phone",
    at_least: "at least {0}", at_most: "at most {0}", equal: "exactly {0}",
    clause: "The clause", evidence: "Evidence wanted", how: "How the number comes about",
    met: "Met", "not-met": "Not met", "not-applicable": "Does not apply",
    "not-seen": "Could not see", "entry-denied": "Entry denied",
    answer: "Your finding", number: "Number ({0})", text: "What you saw", reason: "Reason (needed here)",
    note: "Note", photo: "Take a photo", photos: "Photos", remove: "Remove", place: "Where you stand",
    locate: "Take the position", locating: "Looking for the position…",
    inside: "Inside the licensed land", outside: "Outside the licensed land",
    undecided: "Too close to the edge to say", within: "± {0} m",
    no_fix: "No position: {0}. You can save without it; it will say so.",
    old: "it was older than ten seconds", denied: "this phone does not allow it",
    unavailable: "none to be had", timeout: "it took too long", unsupported: "this phone has none",
    save: "Save and sign", choose: "Choose a finding first.", need_reason: "Say why: the text gives no number.",
    need_number: "Type the number first.", kept: "Saved on this phone. It is sent when there is signal.",
    draft: "Draft kept on this phone", too_large: "The photo is larger than 25 MB; take it smaller.",
    no_room: "No room for the photo on this phone. Text is still saved.",
    save_failed: "THIS PHONE COULD NOT SAVE. Keep this page open and try again.",
    waiting: "to send: {0}", all_sent: "Everything was received", nothing: "Nothing recorded yet",
    photos_waiting: "photos to send: {0}", aside: "set aside: {0}", received: "received by the county: {0}",
    send: "Send now", offline: "No signal", portal: "no answer from the county",
    export: "Save the queue as a file", retry: "Try again what was set aside",
    state_waiting: "Saved on this phone", state_received: "Received by the county",
    "state_set-aside": "Set aside: {0}", quarantined: "kept in quarantine",
    variant: "kept beside another version", theme: "Appearance", theme_auto: "As the phone",
    theme_sun: "Bright sun", theme_dark: "Dark", language: "Language", persist_yes: "This phone keeps the data until you remove them.",
    persist_no: "The browser may delete the data when room is short. Add this page to the home screen.",
    not_enrolled: "This phone is not enrolled.", how_enrol: "Ask the coordinator for a link or a code to scan.",
    who: "{0}, {1}", licence_state: "License: {0}", no_checklist: "The checklist has not been loaded; it needs signal once.",
    corrects: "Correct my last record", missing: "Numbers that the county has not received: {0}",
    count_plus: "One more", count_minus: "One less", enrolling: "Enrolling this phone…",
    enrolled: "This phone is enrolled. Add the page to the home screen, then open it.",
    open: "Open the checklist", failed: "It did not work: {0}", insecure: "This page needs HTTPS.",
    device_name: "Name of this phone", enrol: "Enrol this phone", search: "Find an item", photo_of: "Photo {0}", map: "Map of the licensed land", paste: "Or paste the link here",
    take_over: "Take over another phone's file", taken_over: "Taken over: {0}", "not-a-queue": "This is not a whole queue of another phone.", carried: "for another phone",
  },
  es: {
    title: "Inspección", list: "Lista", queue: "En este teléfono", settings: "Ajustes", back: "Volver",
    again: "No se cumple: volver a mirar", overdue: "Atrasado", now: "Toca en esta hora", later: "Más tarde", none: "Cuando ocurra",
    before: "Antes del evento", "gate-open": "Apertura de puertas", live: "Durante el evento", night: "De noche",
    after: "Después", due: "para {0}", seen: "visto {0}", never: "no visto en este teléfono",
    at_least: "al menos {0}", at_most: "como máximo {0}", equal: "exactamente {0}",
    clause: "La cláusula", evidence: "Pruebas que se piden", how: "De dónde sale el número",
    met: "Se cumple", "not-met": "No se cumple", "not-applicable": "No corresponde",
    "not-seen": "No se pudo ver", "entry-denied": "Entrada negada",
    answer: "Su conclusión", number: "Número ({0})", text: "Lo que vio", reason: "Motivo (necesario aquí)",
    note: "Nota", photo: "Tomar una foto", photos: "Fotos", remove: "Quitar", place: "Dónde está usted",
    locate: "Tomar la posición", locating: "Buscando la posición…",
    inside: "Dentro del terreno autorizado", outside: "Fuera del terreno autorizado",
    undecided: "Demasiado cerca del borde para decirlo", within: "± {0} m",
    no_fix: "Sin posición: {0}. Puede guardar sin ella; quedará dicho.",
    old: "tenía más de diez segundos", denied: "este teléfono no lo permite",
    unavailable: "no la hay", timeout: "tardó demasiado", unsupported: "este teléfono no tiene",
    save: "Guardar y firmar", choose: "Elija primero una conclusión.", need_reason: "Diga por qué: el texto no da un número.",
    need_number: "Escriba primero el número.", kept: "Guardado en este teléfono. Se envía cuando haya señal.",
    draft: "Borrador guardado en este teléfono", too_large: "La foto pasa de 25 MB; tómela más pequeña.",
    no_room: "No hay lugar para la foto en este teléfono. El texto sí se guarda.",
    save_failed: "ESTE TELÉFONO NO PUDO GUARDAR. Deje la página abierta e inténtelo de nuevo.",
    waiting: "por enviar: {0}", all_sent: "Todo fue recibido", nothing: "Nada registrado aún",
    photos_waiting: "fotos por enviar: {0}", aside: "apartados: {0}", received: "recibidos por el condado: {0}",
    send: "Enviar ahora", offline: "Sin señal", portal: "el condado no responde",
    export: "Guardar la cola en un archivo", retry: "Reintentar lo apartado",
    state_waiting: "Guardado en este teléfono", state_received: "Recibido por el condado",
    "state_set-aside": "Apartado: {0}", quarantined: "en cuarentena",
    variant: "junto a otra versión", theme: "Aspecto", theme_auto: "Como el teléfono",
    theme_sun: "Sol fuerte", theme_dark: "Oscuro", language: "Idioma", persist_yes: "Este teléfono guarda los datos hasta que usted los quite.",
    persist_no: "El navegador puede borrar los datos si falta espacio. Añada esta página a la pantalla de inicio.",
    not_enrolled: "Este teléfono no está inscrito.", how_enrol: "Pida al coordinador un enlace o un código.",
    who: "{0}, {1}", licence_state: "Licencia: {0}", no_checklist: "La lista no se ha cargado; necesita señal una vez.",
    corrects: "Corregir mi último registro", missing: "Números que el condado no ha recibido: {0}",
    count_plus: "Uno más", count_minus: "Uno menos", enrolling: "Inscribiendo este teléfono…",
    enrolled: "Este teléfono está inscrito. Añada la página a la pantalla de inicio y ábrala.",
    open: "Abrir la lista", failed: "No funcionó: {0}", insecure: "Esta página necesita HTTPS.",
    device_name: "Nombre de este teléfono", enrol: "Inscribir este teléfono", search: "Buscar un punto", photo_of: "Foto {0}", map: "Mapa del terreno autorizado", paste: "O pegue el enlace aquí",
    take_over: "Recibir el archivo de otro teléfono", taken_over: "Recibidos: {0}", "not-a-queue": "No es una cola completa de otro teléfono.", carried: "de otro teléfono",
  },
};

export const LANGUAGES = { en: "English", es: "Español" };

/** The language in use: chosen here, else the phone's, else English. */
export function language() {
  const chosen = localStorage.getItem("language") ?? navigator.language.slice(0, 2);
  return chosen in WORDS ? chosen : "en";
}

/** The words for *key*, `{0}` filled in. @param {string} key @param {...unknown} values */
export function say(key, ...values) {
  const text = WORDS[language()][key] ?? WORDS.en[key] ?? key;
  return text.replace(/\{(\d)\}/g, (_, n) => String(values[Number(n)] ?? ""));
}

/** A number or a time as the reader writes it. @param {number} value */
export const figure = (value) => value.toLocaleString(language());

/** @param {number | string | Date} moment @param {string} zone the site's zone */
export function clockTime(moment, zone) {
  const then = new Date(moment), near = Math.abs(then - new Date()) < 20 * 3600e3;
  const shown = near ? { hour: "2-digit", minute: "2-digit" }
    : { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return then.toLocaleString(language(), { ...shown, timeZone: zone });
}
